import { Navigate, useParams, useRouter } from '@tanstack/react-router'
import { memo, useEffect, useMemo, useState } from 'react'
import { AccountContext } from '../api/account.ts'
import { useMe } from '../api/me.ts'
import { ErrorNote, PageLoading } from '../ui/states.tsx'
import { rememberAccount } from './last-account.ts'
import { LiveUpdates } from './live-updates.tsx'
import { useMode } from './mode.ts'
import { NoLongerMember, NotFound } from './not-found.tsx'
import { Shell } from './shell.tsx'

/** Every page of an account: for who has signed in and belongs to it. */
export function AccountLayout() {
  const { accountId } = useParams({ strict: false })
  const me = useMe()
  const mode = useMode()
  const membership = me.data?.accounts.find((each) => each.id === accountId)
  const account = useMemo(() => (membership === undefined ? null : { ...membership, mode }), [membership, mode])
  const [left, setLeft] = useState<{ id: string; name: string } | null>(null)
  useEffect(() => {
    if (account === null) return
    rememberAccount(account.id)
    setLeft({ id: account.id, name: account.name })
  }, [account])
  if (me.error?.status === 401) return <ToSignIn />
  // What was known of somebody stays good while the gateway cannot be reached.
  if (me.error && me.data === undefined) return <ErrorNote error={me.error} retry={() => void me.refetch()} />
  if (me.isPending) return <PageLoading />
  if (account === null) return left !== null && left.id === accountId ? <NoLongerMember account={left.name} /> : <NotFound />
  return (
    // What is shown is of one account and mode: another one starts anew.
    <AccountContext value={account} key={`${account.id} ${account.mode}`}>
      <LiveUpdates />
      <Shell />
    </AccountContext>
  )
}

/** Leads to the sign-in, and from there back to here. Once: the address changes while it is on its way, and is then not the one to come back to. */
const ToSignIn = memo(function ToSignIn() {
  const router = useRouter()
  const [next] = useState(() => router.state.location.href)
  return <Navigate to="/sign-in" search={{ next }} replace />
})
