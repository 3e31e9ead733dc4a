import { ActionIcon, Group, Popover } from '@mantine/core'
import { IconMoodSmile } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { TeamMessage } from '../../../api/generated/operations.ts'
import { ToolButton } from './tool-button.tsx'
import { useReact } from './use-react.ts'

const emojis = ['👍', '❤️', '😂', '😮', '😢', '🙏'] as const

/** A button with the emojis that it opens; open from its beginning. */
export function EmojiButton({ message }: { message: TeamMessage }) {
  const { t } = useTranslation('inbox')
  const [isOpen, setOpen] = useState(true)
  return (
    <Popover opened={isOpen} onChange={setOpen} position="top" withArrow trapFocus>
      <Popover.Target>
        <ToolButton aria-label={t('react.action')} onClick={() => setOpen(true)}>
          <IconMoodSmile size={16} />
        </ToolButton>
      </Popover.Target>
      <Popover.Dropdown p={4} aria-label={t('react.action')}>
        <EmojiRow message={message} onDone={() => setOpen(false)} />
      </Popover.Dropdown>
    </Popover>
  )
}

/** Says what the team thinks of a message; the same again takes it back. */
export function EmojiRow({ message, onDone }: { message: TeamMessage; onDone: () => void }) {
  const { t } = useTranslation('inbox')
  const { mayReact, react } = useReact(message)
  if (!mayReact) return null
  const ours = message.reactions.find((each) => each.by === 'us')?.emoji
  return (
    <Group gap={2} wrap="nowrap">
      {emojis.map((emoji) => (
        <ActionIcon
          key={emoji}
          variant={emoji === ours ? 'light' : 'subtle'}
          color="gray"
          size={40}
          fz={20}
          aria-label={emoji === ours ? t('react.take_back', { emoji }) : t('react.with', { emoji })}
          onClick={() => {
            onDone()
            react(emoji === ours ? '' : emoji)
          }}
        >
          {emoji}
        </ActionIcon>
      ))}
    </Group>
  )
}
