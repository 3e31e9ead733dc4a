import { type ReactNode, useContext, useMemo } from 'react'
import { AccountContext } from '../api/account.ts'

/** What has no test mode, such as numbers and webhooks: within, all is live, whichever mode is shown elsewhere. */
export function ForReal({ children }: { children: ReactNode }) {
  const account = useContext(AccountContext)
  const live = useMemo(() => (account === null ? null : { ...account, mode: 'live' as const }), [account])
  return <AccountContext value={live}>{children}</AccountContext>
}
