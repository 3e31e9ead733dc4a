import { Box, Button, Group, Text } from '@mantine/core'
import { IconNote } from '@tabler/icons-react'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../../api/account.ts'
import { ErrorNote } from '../../../ui/states.tsx'
import { useDraft } from './drafts.ts'
import { EmojiButton } from './emoji-button.tsx'
import { Frame } from './frame.tsx'
import { insertAtCursor, TextBox } from './text-box.tsx'

/** Where a note is written, which the person never sees. It stays until it is stored. */
export function NoteBox({ conversationId }: { conversationId: string }) {
  const { t } = useTranslation('composer')
  const [draft, handle] = useDraft(conversationId)
  const input = useRef<HTMLTextAreaElement>(null)
  // Set at once, where the state of the call is only known when it is drawn: a second click must find it.
  const isSaving = useRef(false)
  const add = useChange('POST /account/conversations/{id}/notes', { invalidates: ['GET /account/conversations/{id}/notes'] })
  const save = () => {
    const text = handle.now().note.trim()
    if (text === '' || isSaving.current) return
    isSaving.current = true
    add.mutate(
      { path: { id: conversationId }, body: { text } },
      {
        onSuccess: () => {
          handle.change({ note: '' })
          input.current?.focus()
        },
        onSettled: () => {
          isSaving.current = false
        },
      },
    )
  }
  return (
    <Frame isNote>
      <Group gap={6} px="sm" pt={8} c="light-dark(#6b4e00, #f2d98a)" wrap="nowrap">
        <IconNote size={16} />
        <Text size="xs" fw={600}>
          {t('note.only_team')}
        </Text>
      </Group>
      <Box px={8}>
        <TextBox
          label={t('note.label')}
          placeholder={t('note.placeholder')}
          value={draft.note}
          onChange={(note) => handle.change({ note })}
          onSend={save}
          inputRef={input}
        />
      </Box>
      {add.error ? (
        <Box px={8} pb={8}>
          <ErrorNote error={add.error} />
        </Box>
      ) : null}
      <Group justify="space-between" px={4} pb={4} wrap="nowrap">
        <EmojiButton onPick={(emoji) => handle.change({ note: insertAtCursor(input.current, handle.now().note, emoji) })} />
        <Button mih={40} color="yellow.7" autoContrast onClick={save} loading={add.isPending} disabled={draft.note.trim() === ''}>
          {t('note.save')}
        </Button>
      </Group>
    </Frame>
  )
}
