import { useCallback } from 'react'
import { useAccount } from '../../../api/account.ts'
import { call } from '../../../api/client.ts'

/** The person's app shows it for up to 25 seconds: said once in this time it never ends while one types. */
const everyMs = 20_000
const toldAt = new Map<string, number>()

/** Tells the person that someone types, at most once in 20 seconds for each conversation. What becomes of it does not matter. */
export function useTyping(conversationId: string): () => void {
  const { id: accountId, mode } = useAccount()
  return useCallback(() => {
    const now = Date.now()
    if (now - (toldAt.get(conversationId) ?? 0) < everyMs) return
    toldAt.set(conversationId, now)
    const input = { path: { id: conversationId }, body: null }
    call('POST /account/conversations/{id}/typing', input, { accountId, mode }).catch(() => null)
  }, [conversationId, accountId, mode])
}
