import { Button, Group, PasswordInput, Stack, Text } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/account.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { fieldErrors } from '../../ui/form-errors.tsx'
import { ErrorNote } from '../../ui/states.tsx'
import { tellDone } from '../../ui/tell.ts'
import type { Channel, Connection } from './channel.ts'
import { Steps } from './steps.tsx'

type Props = { channel: Channel; opened: boolean; onClose: () => void; onChecked: (connection: Connection) => void }

/** Takes another token for a number; it is tried before the old one is forgotten. */
export function NewToken(props: Props) {
  const { t } = useTranslation('channels')
  return (
    <Dialog opened={props.opened} onClose={props.onClose} title={t('token.title')}>
      <TokenForm {...props} />
    </Dialog>
  )
}

function TokenForm({ channel, onClose, onChecked }: Props) {
  const { t } = useTranslation('channels')
  const { t: tApp } = useTranslation('app')
  const [token, setToken] = useState('')
  const change = useChange('POST /account/channels/{id}/token', {
    invalidates: ['GET /account/channels/details', 'GET /account/channels'],
    onSuccess: (answer) => {
      if (answer.channel === null) return
      tellDone(t('token.done'))
      onChecked(answer)
      onClose()
    },
  })
  const errors = fieldErrors(change.error)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    change.mutate({ path: { id: channel.id }, body: { token } })
  }
  const failed = change.data?.channel === null ? change.data : null
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm">{t('token.text')}</Text>
        <PasswordInput
          label={t('form.token')}
          description={t('form.token_help')}
          value={token}
          onChange={({ currentTarget }) => setToken(currentTarget.value.trim())}
          error={errors.token}
          maxLength={2000}
          autoComplete="off"
          required
          data-autofocus
        />
        {change.error && errors.token === undefined ? <ErrorNote error={change.error} /> : null}
        {failed === null ? null : <Steps steps={failed.steps} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {tApp('cancel')}
          </Button>
          <Button type="submit" loading={change.isPending} disabled={token === ''}>
            {t('token.submit')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
