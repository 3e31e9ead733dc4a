import { Box, Group, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTitle } from './title.ts'

type Props = {
  title: string
  /** One sentence on what the page is for. */
  intro?: ReactNode
  /** The page's actions, on the right of its title. */
  actions?: ReactNode
  /** What leads back, above the title. */
  back?: ReactNode
  /** Pages of text and forms are narrow; tables use what is there. */
  width?: 'narrow' | 'wide'
  children: ReactNode
}

/** A page of the console: title, intro, actions, content. */
export function Page({ title, intro, actions, back, width = 'wide', children }: Props) {
  useTitle(title)
  return (
    <Box component="section" p={{ base: 'md', sm: 'xl' }} maw={width === 'narrow' ? 760 : 1240} mx="auto" w="100%">
      <Stack gap="lg">
        <Stack gap="xs">
          {back}
          <Group justify="space-between" align="flex-start" gap="sm">
            <Title order={1}>{title}</Title>
            {actions === undefined ? null : <Group gap="xs">{actions}</Group>}
          </Group>
          {intro === undefined ? null : (
            <Text c="var(--muted)" maw={680}>
              {intro}
            </Text>
          )}
        </Stack>
        {children}
      </Stack>
    </Box>
  )
}
