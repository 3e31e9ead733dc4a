import { Box, Group } from '@mantine/core'
import type { ReactNode } from 'react'

export type Tone = 'good' | 'bad' | 'warning' | 'quiet' | 'busy'

const colors: Record<Tone, string> = {
  good: 'var(--mantine-color-teal-6)',
  bad: 'var(--mantine-color-red-6)',
  warning: 'var(--mantine-color-yellow-6)',
  quiet: 'var(--mantine-color-gray-5)',
  busy: 'var(--mantine-color-blue-6)',
}

/** How something stands: the word says it, the dot lets the eye find it. */
export function Standing({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <Group gap={8} wrap="nowrap" component="span" display="inline-flex">
      <Box component="span" w={8} h={8} aria-hidden style={{ borderRadius: 4, background: colors[tone], flexShrink: 0 }} />
      <span>{children}</span>
    </Group>
  )
}
