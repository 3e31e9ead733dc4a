import { Group, Text } from '@mantine/core'
import { CopyIcon } from './code-sample.tsx'

/** A short text such as an id, with a button that copies it; `label` says what it is. */
export function Copyable({ value, label }: { value: string; label: string }) {
  return (
    <Group gap={6} wrap="nowrap">
      <Text span fz="xs" style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
        {value}
      </Text>
      <CopyIcon value={value} label={label} />
    </Group>
  )
}
