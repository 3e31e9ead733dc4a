import { useMemo } from 'react'
import { useAccount } from '../../api/account.ts'
import type { Mode } from '../../api/client.ts'
import { useMe } from '../../api/me.ts'

/** Whose sends and drafts these are: of one person, on one account, in one mode. */
export type Place = { userId: string; accountId: string; mode: Mode }

export function usePlace(): Place {
  const { id, mode } = useAccount()
  const userId = useMe().data?.user.id ?? ''
  return useMemo(() => ({ userId, accountId: id, mode }), [userId, id, mode])
}
