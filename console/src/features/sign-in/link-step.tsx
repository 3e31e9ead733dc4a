import { Alert, Button, Stack } from '@mantine/core'
import { IconMail, IconMailOff } from '@tabler/icons-react'
import type { FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/account.ts'
import { useWait } from '../../ui/use-wait.ts'
import { EmailField } from './email-field.tsx'
import { Problem } from './problem.tsx'
import { Submit } from './submit.tsx'

type Props = { email: string; onEmail: (email: string) => void; isEmailFixed: boolean; onPassword: () => void }

/** Asks for a link by mail, for who has no password, or has forgotten it. */
export function LinkStep({ email, onEmail, isEmailFixed, onPassword }: Props) {
  const { t } = useTranslation('sign-in')
  const request = useChange('POST /sign-in/link')
  const waitSeconds = useWait(request.error)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    request.mutate({ body: { email } })
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <EmailField email={email} onEmail={onEmail} isFixed={isEmailFixed} autoFocus />
        <div aria-live="polite">
          {request.data === undefined ? null : request.data.mailed ? (
            <Alert color="teal" icon={<IconMail size={18} />} title={t('link.sent')}>
              {t('link.sent_text')}
            </Alert>
          ) : (
            <Alert color="yellow" icon={<IconMailOff size={18} />} title={t('link.no_mail')}>
              {t('link.no_mail_text')}
            </Alert>
          )}
        </div>
        <Problem error={request.error} wrong={t('wrong_password')} />
        <Submit isBusy={request.isPending} waitSeconds={waitSeconds}>
          {request.data === undefined ? t('link.send') : t('link.again')}
        </Submit>
        <Button variant="subtle" size="md" onClick={onPassword}>
          {t('link.password_instead')}
        </Button>
      </Stack>
    </form>
  )
}
