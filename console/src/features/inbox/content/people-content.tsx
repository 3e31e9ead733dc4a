import { Anchor, Avatar, Box, Group, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { initialsOf } from '../../../ui/initials.ts'
import classes from '../inbox.module.css'
import { listAt, textAt } from './parts.ts'

/** Contact cards that somebody sent. */
export function PeopleContent({ content }: { content: unknown }) {
  const { t } = useTranslation('inbox')
  return (
    <Stack gap="xs">
      {listAt(content).map((card, i) => {
        const name = textAt(card, 'name', 'formatted_name') ?? textAt(card, 'name', 'first_name') ?? t('people.nameless')
        const work = [textAt(card, 'org', 'title'), textAt(card, 'org', 'company')].filter((each) => each !== null).join(', ')
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: cards have no identity but their place
          <Group key={i} gap="sm" wrap="nowrap" align="flex-start" className={classes.card}>
            <Avatar size={36} radius="xl">
              {initialsOf(name)}
            </Avatar>
            <Box style={{ minWidth: 0 }}>
              <Text size="sm" fw={550}>
                {name}
              </Text>
              {work === '' ? null : <Text size="xs">{work}</Text>}
              {listAt(card, 'phones').map((phone) => {
                const number = textAt(phone, 'phone') ?? textAt(phone, 'wa_id')
                return number === null ? null : (
                  <Text key={number} size="sm">
                    {number}
                  </Text>
                )
              })}
              {listAt(card, 'emails').map((mail) => {
                const address = textAt(mail, 'email')
                return address === null ? null : (
                  <Anchor
                    key={address}
                    href={`mailto:${encodeURIComponent(address)}`}
                    size="sm"
                    c="inherit"
                    underline="always"
                    display="block"
                  >
                    {address}
                  </Anchor>
                )
              })}
            </Box>
          </Group>
        )
      })}
    </Stack>
  )
}
