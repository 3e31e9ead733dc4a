import { Navigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useMe } from '../../api/me.ts'
import { nextPath } from './next-path.ts'
import { Outside } from './outside.tsx'
import { SignIn, type Step } from './sign-in.tsx'
import { useEnter } from './use-enter.ts'

/** `#link` opens it where a link is asked for. */
export function SignInPage() {
  const { t } = useTranslation('sign-in')
  const { next } = useSearch({ from: '/sign-in' })
  const me = useMe()
  const enter = useEnter()
  const [step, setStep] = useState<Step>(() => (window.location.hash === '#link' ? 'link' : 'password'))
  if (me.data !== undefined && me.error === null) return <Navigate to={nextPath(next, window.location.origin)} replace />
  return (
    <Outside title={t(`step.${step}.title`)} intro={step === 'code' ? undefined : t(`step.${step}.intro`)}>
      <SignIn step={step} onStep={setStep} onDone={() => void enter(next)} />
    </Outside>
  )
}
