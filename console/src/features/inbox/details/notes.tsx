import { ActionIcon, Button, Group, Stack, Text, Textarea, Title } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAccount, useChange, useRead } from '../../../api/account.ts'
import { useMe } from '../../../api/me.ts'
import { FormattedText } from '../../../ui/formatted-text.tsx'
import { useErrorWords } from '../../../ui/states.tsx'
import { tellFailed } from '../../../ui/tell.ts'
import { Ago } from '../../../ui/time.tsx'
import classes from '../inbox.module.css'

const noteCharsMax = 4_000

/** What the team wrote down of the conversation, for itself. */
export function Notes({ conversationId }: { conversationId: string }) {
  const { t } = useTranslation('inbox')
  const { can, role } = useAccount()
  const me = useMe().data?.user
  const words = useErrorWords()
  const [text, setText] = useState('')
  const path = { id: conversationId }
  const notes = useRead('GET /account/conversations/{id}/notes', { path }).data?.data ?? []
  const invalidates = ['GET /account/conversations/{id}/notes'] as const
  const add = useChange('POST /account/conversations/{id}/notes', { invalidates, onSuccess: () => setText('') })
  const remove = useChange('DELETE /account/conversations/{id}/notes/{note_id}', { invalidates })
  const onError = (error: unknown) => tellFailed(words(error))
  return (
    <Stack gap="sm">
      <Title order={3}>{t('notes.title')}</Title>
      <Text size="xs" c="var(--muted)">
        {t('notes.intro')}
      </Text>
      {can('inbox:write') ? (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            if (text.trim() !== '') add.mutate({ path, body: { text: text.trim() } }, { onError })
          }}
        >
          <Stack gap="xs">
            <Textarea
              aria-label={t('notes.text')}
              placeholder={t('notes.text')}
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
              maxLength={noteCharsMax}
              autosize
              minRows={2}
              maxRows={8}
            />
            <Group justify="flex-end">
              <Button type="submit" size="compact-md" fz="sm" variant="light" loading={add.isPending} disabled={text.trim() === ''}>
                {t('notes.add')}
              </Button>
            </Group>
          </Stack>
        </form>
      ) : null}
      {notes
        .toSorted((a, b) => (a.created_at < b.created_at ? 1 : -1))
        .map((note) => (
          <article key={note.id} className={classes.noteCard} aria-label={t('notes.of', { name: note.author.name ?? t('someone') })}>
            <Group justify="space-between" wrap="nowrap" gap="xs">
              <Text size="xs">
                <strong>{note.author.name ?? t('someone')}</strong> · <Ago at={note.created_at} />
              </Text>
              {can('inbox:write') && (note.author.id === me?.id || role === 'owner' || role === 'admin') ? (
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  size={26}
                  aria-label={t('notes.remove')}
                  loading={remove.isPending && remove.variables?.path.note_id === note.id}
                  onClick={() => remove.mutate({ path: { id: conversationId, note_id: note.id }, body: {} }, { onError })}
                >
                  <IconTrash size={14} />
                </ActionIcon>
              ) : null}
            </Group>
            <FormattedText text={note.text} />
          </article>
        ))}
    </Stack>
  )
}
