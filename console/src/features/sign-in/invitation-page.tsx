import { Button, Stack, Text } from '@mantine/core'
import { Link, useLocation } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange, useRead } from '../../api/account.ts'
import { type Answer, ApiError } from '../../api/client.ts'
import { useMe } from '../../api/me.ts'
import { ErrorNote, PageLoading } from '../../ui/states.tsx'
import { NewPerson } from './new-person.tsx'
import { Outside } from './outside.tsx'
import { Problem } from './problem.tsx'
import { SignIn, type Step } from './sign-in.tsx'
import { useEnter } from './use-enter.ts'

type Invitation = Answer<'POST /invitations/look'>

/** Where an invitation leads: somebody new gives a name and a password, somebody known signs in and accepts. */
export function InvitationPage() {
  const token = useLocation({ select: ({ hash }) => hash })
  return token === '' ? <Over /> : <Look key={token} token={token} />
}

function Look({ token }: { token: string }) {
  const { t } = useTranslation('sign-in')
  const { t: tPeople } = useTranslation('people')
  const look = useRead('POST /invitations/look', { body: { token } }, { staleTime: Number.POSITIVE_INFINITY })
  if (look.error instanceof ApiError && [400, 404].includes(look.error.status)) return <Over />
  if (look.error)
    return (
      <Outside title={t('invitation.title')}>
        <ErrorNote error={look.error} retry={() => void look.refetch()} />
      </Outside>
    )
  if (look.isPending) return <PageLoading />
  const { account_name, role, is_known } = look.data
  const intro = (
    <>
      {t('invitation.intro', { account: account_name, role: tPeople(`role.${role}.name`) })}
      <Text size="sm" mt={4}>
        {tPeople(`role.${role}.may`)}
      </Text>
    </>
  )
  return (
    <Outside title={t('invitation.title')} intro={intro}>
      {is_known ? <Known token={token} invitation={look.data} /> : <NewPerson token={token} email={look.data.email} />}
    </Outside>
  )
}

function Known({ token, invitation }: { token: string; invitation: Invitation }) {
  const { t } = useTranslation('sign-in')
  const me = useMe()
  const enter = useEnter()
  const [step, setStep] = useState<Step>('password')
  const accept = useChange('POST /invitations/accept', { onSuccess: ({ account_id }) => void enter(`/a/${account_id}`) })
  const signedInAs = me.error === null ? me.data?.user.email : undefined
  if (me.isPending) return null
  if (signedInAs === invitation.email)
    return (
      <Stack>
        <Text size="sm">{t('invitation.signed_in_as', { email: signedInAs })}</Text>
        <Problem error={accept.error} wrong={t('invitation.sign_in_first', { email: invitation.email })} />
        <Button size="md" loading={accept.isPending} onClick={() => accept.mutate({ body: { token } })}>
          {t('invitation.accept')}
        </Button>
      </Stack>
    )
  return (
    <Stack>
      <Text size="sm">
        {signedInAs === undefined
          ? t('invitation.sign_in_first', { email: invitation.email })
          : t('invitation.other_person', { email: invitation.email, other: signedInAs })}
      </Text>
      <SignIn step={step} onStep={setStep} email={invitation.email} onDone={() => void me.refetch()} />
    </Stack>
  )
}

function Over() {
  const { t } = useTranslation('sign-in')
  return (
    <Outside title={t('invitation.over_title')} intro={t('invitation.over_text')}>
      <Button size="md" variant="default" renderRoot={(props) => <Link {...props} to="/" />}>
        {t('invitation.to_console')}
      </Button>
    </Outside>
  )
}
