import { Box, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

type Props = {
  label: string
  value: number | string
  /** A word on the figure, below it. */
  note?: ReactNode
  color?: string
  /** By which a test finds the figure. */
  name?: string
}

/** A figure with its name; numbers are written as the reader's language does. */
export function Figure({ label, value, note, color = 'inherit', name }: Props) {
  const { i18n } = useTranslation('app')
  return (
    <Box style={{ minWidth: 0 }}>
      <Text size="sm" c="var(--muted)">
        {label}
      </Text>
      <Text fz={24} fw={650} lh={1.3} c={color} data-figure={name} style={{ fontVariantNumeric: 'tabular-nums' }}>
        {typeof value === 'number' ? new Intl.NumberFormat(i18n.language).format(value) : value}
      </Text>
      {note === undefined ? null : (
        <Text size="xs" c="var(--muted)" component="div">
          {note}
        </Text>
      )}
    </Box>
  )
}
