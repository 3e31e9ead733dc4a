import { ActionIcon, Button, Group, Paper, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAccount, useChange, useRead } from '../../../api/account.ts'
import { Confirm } from '../../../ui/confirm.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { fieldErrors } from '../../../ui/form-errors.tsx'
import { Empty, ErrorNote, Loading } from '../../../ui/states.tsx'
import type { CannedAnswer } from './use-canned.ts'

type Props = { opened: boolean; onClose: () => void; onUse: (answer: CannedAnswer) => void }

const reads = ['GET /account/canned-answers'] as const

/** The account's canned answers: to use one, and to write, change and delete them. */
export function CannedDialog({ opened, onClose, onUse }: Props) {
  const { t } = useTranslation('composer')
  const { can } = useAccount()
  const read = useRead('GET /account/canned-answers', {}, { enabled: opened })
  const [edited, setEdited] = useState<CannedAnswer | 'new' | null>(null)
  const [doomed, setDoomed] = useState<CannedAnswer | null>(null)
  const remove = useChange('DELETE /account/canned-answers/{id}', { invalidates: reads, onSuccess: () => setDoomed(null) })
  const answers = (read.data?.data ?? []).toSorted((one, other) => one.shortcut.localeCompare(other.shortcut))
  const mayEdit = can('inbox:write')
  return (
    <Dialog opened={opened} onClose={onClose} title={t('canned.title')} size="lg">
      {edited === null ? (
        <Stack>
          <Text size="sm" c="var(--muted)">
            {t('canned.intro')}
          </Text>
          {read.error ? <ErrorNote error={read.error} retry={() => void read.refetch()} /> : null}
          {read.isPending && read.error === null ? <Loading lines={3} /> : null}
          {read.data !== undefined && answers.length === 0 ? <Empty title={t('canned.none')}>{t('canned.none_text')}</Empty> : null}
          {answers.map((answer) => (
            <Paper key={answer.id} withBorder p="sm">
              <Group justify="space-between" wrap="nowrap" align="flex-start">
                <Stack gap={2} style={{ minWidth: 0 }}>
                  <Text size="sm" fw={600}>
                    /{answer.shortcut}
                  </Text>
                  <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }} lineClamp={4}>
                    {answer.text}
                  </Text>
                </Stack>
                <Group gap={4} wrap="nowrap">
                  <Button
                    size="sm"
                    variant="light"
                    onClick={() => onUse(answer)}
                    aria-label={t('canned.use_of', { shortcut: answer.shortcut })}
                  >
                    {t('canned.use')}
                  </Button>
                  {mayEdit ? (
                    <>
                      <ActionIcon
                        size={40}
                        variant="subtle"
                        onClick={() => setEdited(answer)}
                        aria-label={t('canned.edit', { shortcut: answer.shortcut })}
                      >
                        <IconPencil size={18} />
                      </ActionIcon>
                      <ActionIcon
                        size={40}
                        variant="subtle"
                        color="red"
                        onClick={() => setDoomed(answer)}
                        aria-label={t('canned.delete', { shortcut: answer.shortcut })}
                      >
                        <IconTrash size={18} />
                      </ActionIcon>
                    </>
                  ) : null}
                </Group>
              </Group>
            </Paper>
          ))}
          {mayEdit ? (
            <Group justify="flex-end">
              <Button leftSection={<IconPlus size={16} />} onClick={() => setEdited('new')}>
                {t('canned.new')}
              </Button>
            </Group>
          ) : null}
        </Stack>
      ) : (
        <CannedForm answer={edited === 'new' ? null : edited} onDone={() => setEdited(null)} />
      )}
      <Confirm
        opened={doomed !== null}
        title={t('canned.delete', { shortcut: doomed?.shortcut ?? '' })}
        action={t('canned.delete_action')}
        isBusy={remove.isPending}
        onConfirm={() => {
          if (doomed !== null) remove.mutate({ path: { id: doomed.id }, body: null })
        }}
        onClose={() => setDoomed(null)}
      >
        <Stack>
          {t('canned.delete_text')}
          {remove.error ? <ErrorNote error={remove.error} /> : null}
        </Stack>
      </Confirm>
    </Dialog>
  )
}

function CannedForm({ answer, onDone }: { answer: CannedAnswer | null; onDone: () => void }) {
  const { t } = useTranslation('composer')
  const { t: app } = useTranslation('app')
  const [shortcut, setShortcut] = useState(answer?.shortcut ?? '')
  const [text, setText] = useState(answer?.text ?? '')
  const create = useChange('POST /account/canned-answers', { invalidates: reads, onSuccess: onDone })
  const edit = useChange('PATCH /account/canned-answers/{id}', { invalidates: reads, onSuccess: onDone })
  const { error, isPending } = answer === null ? create : edit
  const wrong = fieldErrors(error)
  const save = () => {
    const body = { shortcut: shortcut.trim().replace(/^\//, ''), text: text.trim() }
    if (answer === null) create.mutate({ body })
    else edit.mutate({ path: { id: answer.id }, body })
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (!isPending) save()
      }}
    >
      <Stack>
        <TextInput
          data-autofocus
          label={t('canned.shortcut')}
          description={t('canned.shortcut_text')}
          leftSection="/"
          required
          value={shortcut}
          error={wrong.shortcut}
          onChange={(event) => setShortcut(event.currentTarget.value)}
        />
        <Textarea
          label={t('canned.text')}
          required
          autosize
          minRows={3}
          maxRows={10}
          value={text}
          error={wrong.text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        {error && wrong.shortcut === undefined && wrong.text === undefined ? <ErrorNote error={error} /> : null}
        <Group justify="flex-end">
          <Button variant="default" onClick={onDone}>
            {app('cancel')}
          </Button>
          <Button type="submit" loading={isPending}>
            {app('save')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
