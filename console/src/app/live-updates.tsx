import { useAccount } from '../api/account.ts'
import { useLiveUpdates } from '../api/live.ts'

/** Keeps what is shown of the account fresh, whatever page is open. */
export function LiveUpdates() {
  const { can } = useAccount()
  return can('messages:read') ? <Following /> : null
}

function Following() {
  useLiveUpdates()
  return null
}
