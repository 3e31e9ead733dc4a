import { Button, Group, Select, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange, useRead } from '../../../api/account.ts'
import type { Answer } from '../../../api/client.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { fieldErrors } from '../../../ui/form-errors.ts'
import { ErrorNote, Loading } from '../../../ui/states.tsx'
import { enqueueSends } from '../pending.ts'
import { usePlace } from '../place.ts'
import { addresseeOf } from './conversation.ts'
import { type FilledTemplate, sendOfTemplate } from './send-of-template.ts'
import { TemplatePicker } from './template-picker.tsx'

type Conversation = Answer<'POST /account/conversations'>
type Props = { opened: boolean; onClose: () => void; onOpened: (conversationId: string) => void }

/** Begins a conversation: a phone, then the template that is sent. `onOpened`: the template is on its way in this conversation. */
export function NewConversation({ opened, onClose, onOpened }: Props) {
  const { t } = useTranslation('composer')
  return (
    <Dialog opened={opened} onClose={onClose} title={t('new.title')} size="lg" isFullOnPhone>
      <Steps onOpened={onOpened} />
    </Dialog>
  )
}

function Steps({ onOpened }: Pick<Props, 'onOpened'>) {
  const place = usePlace()
  const [conversation, setConversation] = useState<Conversation | null>(null)
  const isSent = useRef(false)
  if (conversation === null) return <WhomStep onThere={setConversation} />
  const send = (filled: FilledTemplate) => {
    if (isSent.current) return
    isSent.current = true
    enqueueSends(place, conversation.id, [sendOfTemplate(filled, addresseeOf(conversation), null)])
    onOpened(conversation.id)
  }
  return <TemplatePicker channelId={conversation.channel_id} onSend={send} />
}

function WhomStep({ onThere }: { onThere: (conversation: Conversation) => void }) {
  const { t } = useTranslation('composer')
  const channels = useRead('GET /account/channels', {})
  const [to, setTo] = useState('')
  const [chosen, setChosen] = useState<string | null>(null)
  const open = useChange('POST /account/conversations', { invalidates: ['GET /account/conversations'], onSuccess: onThere })
  if (channels.error) return <ErrorNote error={channels.error} retry={() => void channels.refetch()} />
  if (channels.isPending) return <Loading lines={2} />
  const numbers = channels.data.data
  const channelId = chosen ?? numbers.find((each) => each.status === 'connected')?.id ?? numbers[0]?.id
  const wrong = fieldErrors(open.error)
  const go = (event: FormEvent) => {
    event.preventDefault()
    if (channelId !== undefined && to.trim() !== '' && !open.isPending) open.mutate({ body: { channel_id: channelId, to } })
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
          error={wrong.to === undefined ? null : t('new.phone_wrong')}
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
        {open.error && wrong.to === undefined ? <ErrorNote error={open.error} /> : null}
        <Group justify="flex-end">
          <Button type="submit" loading={open.isPending} disabled={channelId === undefined}>
            {t('new.next')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
