import { Box, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useAccount } from '../../../api/account.ts'
import { useKeys } from '../use-keys.ts'
import { ClosedWindow } from './closed-window.tsx'
import type { ComposedConversation, QuotedMessage } from './conversation.ts'
import { useDraft } from './drafts.ts'
import { takeKeptFocus } from './kept-focus.ts'
import { MessageBox } from './message-box.tsx'
import { NoteBox } from './note-box.tsx'
import { useWindowLevel, WindowTimer } from './window.tsx'

type Props = {
  conversation: ComposedConversation
  /** The message that the next one quotes. */
  replyTo: QuotedMessage | null
  onClearReply: () => void
}

const focusIn = (part: HTMLElement | null) => part?.querySelector<HTMLElement>('textarea, [data-answer]')?.focus()

/**
 * Where the team answers a person: a message while the 24-hour window is open, a template always, a note to itself. What is sent is in
 * `usePendingSends` at once. Files may be dropped on the nearest element around it with `data-drop-area`, or else on what holds it.
 */
export function Composer({ conversation, replyTo, onClearReply }: Props) {
  const { t } = useTranslation('composer')
  const { can } = useAccount()
  const [draft, handle] = useDraft(conversation.id)
  const level = useWindowLevel(conversation.window_expires_at)
  const root = useRef<HTMLElement>(null)
  useEffect(() => {
    if (takeKeptFocus()) focusIn(root.current)
  }, [])
  useKeys({ r: () => focusIn(root.current) })
  const [maySend, mayNote] = [can('messages:send'), can('inbox:write')]
  if (!maySend && !mayNote)
    return (
      <Text size="sm" c="var(--muted)" p="md" ta="center">
        {t('may_not')}
      </Text>
    )
  const isNote = mayNote && (draft.isNote || !maySend)
  return (
    <Box
      component="section"
      ref={root}
      data-composer
      aria-label={t('label')}
      p="xs"
      style={{ borderTop: '1px solid var(--line)', background: 'var(--surface)', paddingBottom: 'max(10px, env(safe-area-inset-bottom))' }}
    >
      <Stack gap={6}>
        <Group justify="space-between" gap="xs" wrap="nowrap">
          {maySend && mayNote ? (
            <SegmentedControl
              size="sm"
              style={{ flexShrink: 0 }}
              value={isNote ? 'note' : 'message'}
              onChange={(value) => handle.change({ isNote: value === 'note' })}
              data={[
                { value: 'message', label: t('tabs.message') },
                { value: 'note', label: t('tabs.note') },
              ]}
              aria-label={t('tabs.label')}
            />
          ) : (
            <span />
          )}
          <WindowTimer closesAt={conversation.window_expires_at} />
        </Group>
        {isNote ? (
          <NoteBox key={conversation.id} conversationId={conversation.id} />
        ) : level === 'closed' ? (
          <ClosedWindow key={conversation.id} conversation={conversation} hasWritten={draft.text !== '' || draft.files.length > 0} />
        ) : (
          <MessageBox key={conversation.id} conversation={conversation} replyTo={replyTo} onClearReply={onClearReply} within={root} />
        )}
      </Stack>
    </Box>
  )
}
