import { Alert, Button, Group, Select, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAccount, useRead } from '../../../api/account.ts'
import { type Answer, type ApiError, call } from '../../../api/client.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { fieldErrors } from '../../../ui/form-errors.tsx'
import { phoneWords } from '../../../ui/phone.ts'
import { ErrorNote, Loading } from '../../../ui/states.tsx'
import { newKey } from '../pending.ts'
import { type FilledTemplate, sendOfTemplate } from './send-of-template.ts'
import { TemplatePicker } from './template-picker.tsx'

type Found = Answer<'GET /account/conversations/with'>
type Whom = Found & { channelId: string; to: string }
type Props = { opened: boolean; onClose: () => void; onOpened: (conversationId: string) => void }

/**
 * Begins a conversation: a phone, then the template that is sent. Nothing is made before it leaves. `onOpened`: the template was accepted, and
 * this is its conversation.
 */
export function NewConversation({ opened, onClose, onOpened }: Props) {
  const { t } = useTranslation('composer')
  return (
    <Dialog opened={opened} onClose={onClose} title={t('new.title')} size="lg" isFullOnPhone>
      <Steps onOpened={onOpened} />
    </Dialog>
  )
}

function Steps({ onOpened }: Pick<Props, 'onOpened'>) {
  const { t } = useTranslation('composer')
  const [whom, setWhom] = useState<Whom | null>(null)
  const begin = useBegin(whom, onOpened)
  if (whom === null) return <WhomStep onThere={setWhom} />
  return (
    <Stack>
      <Group justify="space-between" gap="xs">
        <Text size="sm" fw={600} data-testid="recipient">
          {[whom.phone === '' ? whom.to : phoneWords(whom.phone), whom.name ?? (whom.is_known ? null : t('new.unknown'))]
            .filter((each) => each !== null)
            .join(' · ')}
        </Text>
        <Button variant="subtle" size="compact-md" mih={40} disabled={begin.isPending} onClick={() => setWhom(null)}>
          {t('new.other')}
        </Button>
      </Group>
      {begin.error ? <ErrorNote error={begin.error} /> : null}
      {begin.data === null ? <Alert color="yellow">{t('new.on_its_way')}</Alert> : null}
      <TemplatePicker channelId={whom.channelId} isBusy={begin.isPending || begin.isSuccess} onSend={(filled) => begin.mutate(filled)} />
    </Stack>
  )
}

const lookMs = 400
const looksMax = 25

/** Sends the template and finds the conversation that it made; null: it is not there within 10 s. Each dialog sends once, whatever the clicks. */
function useBegin(whom: Whom | null, onOpened: (conversationId: string) => void) {
  const { id: accountId, mode } = useAccount()
  const client = useQueryClient()
  const keys = useRef(new Map<string, string>())
  return useMutation<string | null, ApiError, FilledTemplate>({
    mutationFn: async (filled) => {
      if (whom === null) return null
      const { channelId, phone, to } = whom
      const { body } = sendOfTemplate(filled, { to: phone === '' ? to : `+${phone}`, channel_id: channelId }, null)
      // A send whose answer was lost is repeated with its key, so that it never leaves twice.
      const same = JSON.stringify(body)
      const idempotencyKey = keys.current.get(same) ?? newKey()
      keys.current.set(same, idempotencyKey)
      await call('POST /account/messages', { body }, { accountId, mode, idempotencyKey })
      for (let looks = 0; looks < looksMax; looks += 1) {
        const query = { channel_id: channelId, to: phone === '' ? to : `+${phone}` }
        const found = await call('GET /account/conversations/with', { query }, { accountId, mode })
        if (found.conversation_id !== null) return found.conversation_id
        await new Promise((resolve) => setTimeout(resolve, lookMs))
      }
      return null
    },
    onSuccess: (conversationId) => {
      void client.invalidateQueries({ queryKey: [accountId, mode, 'GET /account/conversations'] })
      if (conversationId !== null) onOpened(conversationId)
    },
  })
}

function WhomStep({ onThere }: { onThere: (whom: Whom) => void }) {
  const { t } = useTranslation('composer')
  const { id: accountId, mode } = useAccount()
  const channels = useRead('GET /account/channels', {})
  const [to, setTo] = useState('')
  const [chosen, setChosen] = useState<string | null>(null)
  const look = useMutation<Found, ApiError, { channel_id: string; to: string }>({
    mutationFn: (query) => call('GET /account/conversations/with', { query }, { accountId, mode }),
    onSuccess: (found, asked) => onThere({ ...found, channelId: asked.channel_id, to: asked.to }),
  })
  if (channels.error) return <ErrorNote error={channels.error} retry={() => void channels.refetch()} />
  if (channels.isPending) return <Loading lines={2} />
  const numbers = channels.data.data
  const channelId = chosen ?? numbers.find((each) => each.status === 'connected')?.id ?? numbers[0]?.id
  const wrong = fieldErrors(look.error)
  const go = (event: FormEvent) => {
    event.preventDefault()
    if (channelId !== undefined && to.trim() !== '' && !look.isPending) look.mutate({ channel_id: channelId, to })
  }
  return (
    <form onSubmit={go}>
      <Stack>
        <TextInput
          data-autofocus
          label={t('new.phone')}
          description={t('new.phone_text')}
          placeholder="+55 11 98765-4321"
          type="tel"
          required
          value={to}
          error={wrong.to}
          onChange={(event) => setTo(event.currentTarget.value)}
        />
        {numbers.length < 2 ? null : (
          <Select
            label={t('new.from')}
            data={numbers.map((each) => ({ value: each.id, label: each.display_name ?? each.phone ?? each.id }))}
            value={channelId ?? null}
            onChange={setChosen}
            allowDeselect={false}
          />
        )}
        {look.error && wrong.to === undefined ? <ErrorNote error={look.error} /> : null}
        <Group justify="flex-end">
          <Button type="submit" loading={look.isPending} disabled={channelId === undefined}>
            {t('new.next')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
