import { Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/account.ts'
import { fieldErrors } from '../../ui/form-errors.tsx'
import { NewPassword } from '../../ui/new-password.tsx'
import { useWait } from '../../ui/use-wait.ts'
import { Problem } from './problem.tsx'
import { Submit } from './submit.tsx'
import { useEnter } from './use-enter.ts'

/** Somebody who is invited and has never been here. */
export function NewPerson({ token, email }: { token: string; email: string }) {
  const { t } = useTranslation('sign-in')
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const enter = useEnter()
  const accept = useChange('POST /invitations/accept', { onSuccess: ({ account_id }) => void enter(`/a/${account_id}`) })
  const wrong = fieldErrors(accept.error)
  const waitSeconds = useWait(accept.error)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    accept.mutate({ body: { token, name, password } })
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput label={t('email')} type="email" autoComplete="username" size="md" value={email} readOnly />
        <TextInput
          label={t('invitation.name')}
          autoComplete="name"
          required
          withAsterisk={false}
          size="md"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={wrong.name}
          autoFocus
        />
        <NewPassword size="md" label={t('invitation.password')} value={password} onChange={setPassword} error={wrong.password} />
        {Object.keys(wrong).length > 0 ? null : <Problem error={accept.error} wrong={t('invitation.sign_in_first', { email })} />}
        <Submit isBusy={accept.isPending} waitSeconds={waitSeconds}>
          {t('invitation.join')}
        </Submit>
      </Stack>
    </form>
  )
}
