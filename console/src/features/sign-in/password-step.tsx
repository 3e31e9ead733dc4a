import { Button, PasswordInput, Stack, Text } from '@mantine/core'
import { type FormEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange, useRead } from '../../api/account.ts'
import { useWait } from '../../ui/use-wait.ts'
import { EmailField } from './email-field.tsx'
import { Problem } from './problem.tsx'
import { Submit } from './submit.tsx'

type Props = {
  email: string
  onEmail: (email: string) => void
  /** Of an invitation: whose it is stands fast. */
  isEmailFixed: boolean
  onSignedIn: (answer: { second_factor: boolean }) => void
  onLink: () => void
}

export function PasswordStep({ email, onEmail, isEmailFixed, onSignedIn, onLink }: Props) {
  const { t } = useTranslation('sign-in')
  const { t: tPeople } = useTranslation('people')
  const [password, setPassword] = useState('')
  // Until it is known, the link is offered: it says itself where there is no mail.
  const hasMail = useRead('GET /facts', {}, { staleTime: 600_000 }).data?.mail !== false
  const passwordField = useRef<HTMLInputElement>(null)
  const signIn = useChange('POST /sign-in', { onSuccess: onSignedIn })
  const waitSeconds = useWait(signIn.error)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    signIn.mutate({ body: { email, password } }, { onError: () => passwordField.current?.select() })
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <EmailField email={email} onEmail={onEmail} isFixed={isEmailFixed} autoFocus={!isEmailFixed} />
        <PasswordInput
          ref={passwordField}
          label={t('password')}
          autoComplete="current-password"
          required
          withAsterisk={false}
          size="md"
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          visibilityToggleButtonProps={{ 'aria-label': tPeople('password.show') }}
        />
        <Problem error={signIn.error} wrong={t('wrong_password')} />
        <Submit isBusy={signIn.isPending} waitSeconds={waitSeconds}>
          {t('sign_in')}
        </Submit>
        {hasMail ? (
          <Button variant="subtle" size="md" onClick={onLink}>
            {t('link.instead')}
          </Button>
        ) : (
          <Text size="sm" c="var(--muted)" ta="center">
            {t('link.ask')}
          </Text>
        )}
      </Stack>
    </form>
  )
}
