import { Box, Paper, Text } from '@mantine/core'
import type { CannedAnswer } from './use-canned.ts'

type Props = { id: string; label: string; answers: readonly CannedAnswer[]; active: number; onPick: (answer: CannedAnswer) => void }

export const optionId = (id: string, i: number): string => `${id}-${i}`

/** The answers that fit what was typed after `/`. The keyboard stays in the text area, which says which one is active. */
export function CannedList({ id, label, answers, active, onPick }: Props) {
  return (
    <Paper
      id={id}
      role="listbox"
      aria-label={label}
      shadow="md"
      withBorder
      mah={260}
      style={{ position: 'absolute', bottom: '100%', left: 0, right: 0, zIndex: 20, overflowY: 'auto', marginBottom: 6 }}
    >
      {answers.map((answer, i) => (
        <Box
          key={answer.id}
          id={optionId(id, i)}
          role="option"
          aria-selected={i === active}
          px="sm"
          py={8}
          bg={i === active ? 'light-dark(#e9f7f5, #1d3a37)' : 'transparent'}
          style={{ cursor: 'pointer' }}
          // The text area keeps the focus.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onPick(answer)}
        >
          <Text size="sm" fw={600}>
            /{answer.shortcut}
          </Text>
          <Text size="xs" c="var(--muted)" lineClamp={2} dir="auto">
            {answer.text}
          </Text>
        </Box>
      ))}
    </Paper>
  )
}
