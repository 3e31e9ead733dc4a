import { useState } from 'react'
import { useChange } from '../../api/account.ts'
import { CodeStep } from './code-step.tsx'
import { LinkStep } from './link-step.tsx'
import { PasswordStep } from './password-step.tsx'

export type Step = 'password' | 'code' | 'link'

type Props = {
  step: Step
  onStep: (step: Step) => void
  /** The only address that may sign in here. */
  email?: string
  onDone: () => void
}

/** The ways to sign in: a password, then the second factor where there is one; or a link by mail. */
export function SignIn({ step, onStep, email: only, onDone }: Props) {
  const [typed, setTyped] = useState('')
  const code = useChange('POST /sign-in/second-factor', { onSuccess: onDone })
  const field = { email: only ?? typed, onEmail: setTyped, isEmailFixed: only !== undefined }
  if (step === 'link') return <LinkStep {...field} onPassword={() => onStep('password')} />
  if (step === 'password')
    return (
      <PasswordStep
        {...field}
        onSignedIn={({ second_factor }) => (second_factor ? onStep('code') : onDone())}
        onLink={() => onStep('link')}
      />
    )
  return (
    <CodeStep
      canTrust
      isBusy={code.isPending}
      error={code.error}
      onCode={(given) => code.mutate({ body: { code: given.code, is_backup: given.isBackup, trust_device: given.trustDevice } })}
      onRestart={() => {
        code.reset()
        onStep('password')
      }}
    />
  )
}
