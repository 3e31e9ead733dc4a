import { Box, Stack, Text } from '@mantine/core'
import { IconFile, IconFileText } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useAccount, useRead } from '../../../api/account.ts'
import type { TeamMessage } from '../../../api/generated/operations.ts'
import { Choice, Choices } from './choices-content.tsx'
import { filledIn, valuesOf } from './fill-template.ts'
import { at, listAt, textAt } from './parts.ts'
import { RichText } from './rich-text.tsx'

const staleMs = 10 * 60_000

/** A template with what its places were filled with; its own words once they are read, else the values alone. */
export function TemplateContent({ message, content }: { message: TeamMessage; content: unknown }) {
  const { t } = useTranslation('inbox')
  const { can } = useAccount()
  const name = textAt(content, 'name')
  const language = textAt(content, 'language', 'code') ?? textAt(content, 'language')
  const template = useRead(
    'GET /account/templates/{name}',
    { path: { name: name ?? '' } },
    { enabled: name !== null && can('templates:read'), staleTime: staleMs },
  )
  const told = template.data?.data.find((each) => at(each, 'language') === language)
  const values = valuesOf(content)
  return (
    <Stack gap={4}>
      <Text size="xs" c="var(--muted)">
        <IconFileText size={13} aria-hidden style={{ verticalAlign: '-2px', marginRight: 4 }} />
        {name === null ? t('kind.template') : t('template.named', { name, language: language ?? '' })}
      </Text>
      {told === undefined ? (
        <Values message={message} values={values.body} />
      ) : (
        <Words components={listAt(told, 'components')} content={content} />
      )}
    </Stack>
  )
}

function Words({ components, content }: { components: readonly unknown[]; content: unknown }) {
  const { t } = useTranslation('inbox')
  const values = valuesOf(content)
  const part = (type: string) => components.find((each) => textAt(each, 'type')?.toUpperCase() === type)
  const header = part('HEADER')
  const format = textAt(header, 'format')?.toUpperCase()
  const footer = textAt(part('FOOTER'), 'text')
  const buttons = listAt(part('BUTTONS'), 'buttons')
  return (
    <>
      {header === undefined ? null : format === 'TEXT' || format === undefined ? (
        <Text fw={650}>{filledIn(textAt(header, 'text') ?? '', values.header)}</Text>
      ) : (
        <Text size="sm" c="var(--muted)">
          <IconFile size={14} aria-hidden style={{ verticalAlign: '-2px', marginRight: 4 }} />
          {t('template.with_file', { kind: format.toLowerCase() })}
        </Text>
      )}
      <RichText text={filledIn(textAt(part('BODY'), 'text') ?? '', values.body)} />
      {footer === null ? null : (
        <Text size="xs" c="var(--muted)">
          {footer}
        </Text>
      )}
      {buttons.length === 0 ? null : (
        <Choices>
          {buttons.map((button, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: buttons have no identity but their place
            <Choice key={i}>{textAt(button, 'text') ?? '…'}</Choice>
          ))}
        </Choices>
      )}
    </>
  )
}

function Values({ message, values }: { message: TeamMessage; values: ReadonlyMap<string, string> }) {
  if (values.size === 0) return message.text === null ? null : <Text size="sm">{message.text}</Text>
  return (
    <Box component="ul" m={0} pl="md">
      {[...values].map(([name, value]) => (
        <li key={name}>
          <Text size="sm" span>
            {value}
          </Text>
        </li>
      ))}
    </Box>
  )
}
