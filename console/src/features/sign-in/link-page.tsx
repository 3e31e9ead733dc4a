import { Button, Stack } from '@mantine/core'
import { Link, useLocation } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/account.ts'
import { ApiError } from '../../api/client.ts'
import { useWait } from '../../ui/use-wait.ts'
import { CodeStep } from './code-step.tsx'
import { Outside } from './outside.tsx'
import { Problem } from './problem.tsx'
import { Submit } from './submit.tsx'
import { useEnter } from './use-enter.ts'

/** Where a one-time link leads. What opens links before people do must not spend it: only the button does. */
export function LinkPage() {
  const token = useLocation({ select: ({ hash }) => hash })
  return token === '' ? <LinkOver /> : <OpenLink key={token} token={token} />
}

function OpenLink({ token }: { token: string }) {
  const { t } = useTranslation('sign-in')
  const enter = useEnter()
  const [step, setStep] = useState<'open' | 'code' | 'over'>('open')
  const open = useChange('POST /sign-in/link/open', {
    onSuccess: ({ second_factor }) => (second_factor ? setStep('code') : void enter()),
  })
  const waitSeconds = useWait(open.error)
  // A wrong code and a link that is over are refused alike: without a code, the link tells which it was.
  const look = useChange('POST /sign-in/link/open')
  const give = (code: string) =>
    open.mutate(
      { body: { token, code } },
      { onError: (error) => isRefused(error) && look.mutate({ body: { token } }, { onError: () => setStep('over') }) },
    )
  if (step === 'over') return <LinkOver />
  if (step === 'code')
    return (
      <Outside title={t('step.code.title')}>
        <CodeStep
          canTrust={false}
          isBusy={open.isPending}
          error={open.error}
          onCode={({ code }) => give(code)}
          onRestart={() => setStep('open')}
        />
      </Outside>
    )
  return (
    <Outside title={t('open_link.title')} intro={t('open_link.intro')}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          open.mutate({ body: { token } }, { onError: (error) => isRefused(error) && setStep('over') })
        }}
      >
        <Stack>
          <Problem error={open.error} wrong={t('open_link.over_title')} />
          <Submit isBusy={open.isPending} waitSeconds={waitSeconds} testId="open-link">
            {t('sign_in')}
          </Submit>
        </Stack>
      </form>
    </Outside>
  )
}

const isRefused = (error: unknown) => error instanceof ApiError && [401, 404, 400].includes(error.status)

function LinkOver() {
  const { t } = useTranslation('sign-in')
  return (
    <Outside title={t('open_link.over_title')} intro={t('open_link.over_text')}>
      <Stack gap="xs">
        <Button size="md" renderRoot={(props) => <Link {...props} to="/sign-in" hash="link" />}>
          {t('open_link.another')}
        </Button>
        <Button size="md" variant="subtle" renderRoot={(props) => <Link {...props} to="/sign-in" />}>
          {t('link.password_instead')}
        </Button>
      </Stack>
    </Outside>
  )
}
