import { Alert, Button, Group, PasswordInput, Stack, TextInput } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/account.ts'
import { fieldErrors } from '../../ui/form-errors.tsx'
import { ErrorNote } from '../../ui/states.tsx'
import type { Connection, Step } from './channel.ts'
import { Steps } from './steps.tsx'

/** What is shown while it is not known yet: the steps in their order. */
const pendingSteps = (['token', 'number', 'waba', 'subscription', 'registration', 'first_notice'] as const).map(
  (step): Step => ({ step, outcome: 'not_done', reason: null, message: null, code: null }),
)

/** The three things from Meta; then each step, with what to do where one failed. */
export function ConnectForm({ onBack, onConnected }: { onBack: () => void; onConnected: (connection: Connection) => void }) {
  const { t } = useTranslation('channels')
  const { t: tApp } = useTranslation('app')
  const [fields, setFields] = useState({ phone_number_id: '', waba_id: '', token: '', pin: '' })
  const connect = useChange('POST /account/channels', {
    invalidates: ['GET /account/channels/details', 'GET /account/channels'],
    onSuccess: (answer) => {
      if (answer.channel !== null) onConnected(answer)
    },
  })
  const errors = fieldErrors(connect.error)
  const field = (name: keyof typeof fields) => ({
    label: t(`form.${name}`),
    value: fields[name],
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) => setFields({ ...fields, [name]: currentTarget.value.trim() }),
    error: errors[name],
    autoComplete: 'off',
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const { pin, ...rest } = fields
    connect.mutate({ body: { ...rest, pin: pin === '' ? null : pin } })
  }
  const failed = connect.data?.channel === null ? connect.data : null
  const isComplete = fields.phone_number_id !== '' && fields.waba_id !== '' && fields.token !== ''
  return (
    <form onSubmit={submit}>
      <Stack pt="md">
        <TextInput {...field('phone_number_id')} inputMode="numeric" maxLength={32} required />
        <TextInput {...field('waba_id')} inputMode="numeric" maxLength={32} required />
        <PasswordInput {...field('token')} description={t('form.token_help')} maxLength={2000} required />
        <TextInput {...field('pin')} description={t('form.pin_help')} inputMode="numeric" maxLength={6} />
        {connect.error && Object.keys(errors).length === 0 ? <ErrorNote error={connect.error} /> : null}
        {failed === null || connect.isPending ? null : (
          <Alert color="red" icon={<IconAlertTriangle size={18} />} title={t('connect.check.failed')} role="alert">
            {t('connect.check.failed_text')}
          </Alert>
        )}
        {connect.isPending ? <Steps steps={pendingSteps} isBusy /> : failed === null ? null : <Steps steps={failed.steps} />}
        <Group justify="space-between">
          <Button variant="default" onClick={onBack}>
            {tApp('back')}
          </Button>
          <Button type="submit" loading={connect.isPending} disabled={!isComplete}>
            {failed === null ? t('connect.check.submit') : tApp('try_again')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
