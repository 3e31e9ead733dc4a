import { Group, Paper, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

type Props = { title?: string; intro?: ReactNode; actions?: ReactNode; children: ReactNode; padding?: 'md' | 0 }

/** A bordered part of a page. `padding={0}` for a table that goes to the edges. */
export function Panel({ title, intro, actions, children, padding = 'md' }: Props) {
  const head = title !== undefined || actions !== undefined
  return (
    <Paper withBorder radius="md" p={padding} bg="var(--surface)" style={{ borderColor: 'var(--line)', overflow: 'hidden' }}>
      {head ? (
        <Stack gap={4} mb={padding} p={padding === 0 ? 'md' : 0}>
          <Group justify="space-between" gap="xs">
            {title === undefined ? <span /> : <Title order={2}>{title}</Title>}
            {actions}
          </Group>
          {intro === undefined ? null : (
            <Text size="sm" c="var(--muted)">
              {intro}
            </Text>
          )}
        </Stack>
      ) : null}
      {children}
    </Paper>
  )
}
