import { ActionIcon, Group, Popover } from '@mantine/core'
import { IconMoodSmile } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAccount, useChange } from '../../../api/account.ts'
import type { TeamMessage } from '../../../api/generated/operations.ts'
import { useErrorWords } from '../../../ui/states.tsx'
import { tellFailed } from '../../../ui/tell.ts'
import { useThreadTools } from './thread-context.ts'

const emojis = ['👍', '❤️', '😂', '😮', '😢', '🙏'] as const

/** Says what the team thinks of a message; the same again takes it back. */
export function EmojiBar({ message }: { message: TeamMessage }) {
  const { t } = useTranslation('inbox')
  const [isOpen, setOpen] = useState(false)
  const { conversation } = useThreadTools()
  const { can } = useAccount()
  const words = useErrorWords()
  const send = useChange('POST /account/messages')
  const ours = message.reactions.find((each) => each.by === 'us')?.emoji
  if (!can('messages:send') || message.wamid === null) return null
  const react = (emoji: string) => {
    setOpen(false)
    const { phone, user_id } = conversation.contact
    send.mutate(
      {
        body: {
          type: 'reaction',
          to: phone === '' ? (user_id ?? '') : phone,
          channel_id: conversation.channel_id,
          reaction: { message_id: message.id, emoji: emoji === ours ? '' : emoji },
        },
        idempotencyKey: crypto.randomUUID(),
      },
      { onError: (error) => tellFailed(t('react.failed'), words(error)) },
    )
  }
  return (
    <Popover opened={isOpen} onChange={setOpen} position="top" withArrow trapFocus>
      <Popover.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="sm"
          loading={send.isPending}
          aria-label={t('react.action')}
          onClick={() => setOpen(true)}
        >
          <IconMoodSmile size={16} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown p={4} aria-label={t('react.action')}>
        <Group gap={2} wrap="nowrap">
          {emojis.map((emoji) => (
            <ActionIcon
              key={emoji}
              variant={emoji === ours ? 'light' : 'subtle'}
              size={38}
              fz={20}
              aria-label={emoji === ours ? t('react.take_back', { emoji }) : t('react.with', { emoji })}
              onClick={() => react(emoji)}
            >
              {emoji}
            </ActionIcon>
          ))}
        </Group>
      </Popover.Dropdown>
    </Popover>
  )
}
