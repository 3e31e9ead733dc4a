import { useQuery } from '@tanstack/react-query'
import { keyOf, useAccount } from '../../../api/account.ts'
import { type ApiError, call } from '../../../api/client.ts'
import type { Template } from '../../../api/generated/operations.ts'

/** More than the platform lets a business account have. */
const pagesMax = 100

/** The approved templates of a number, over all pages of the platform: a search must not miss what lies on a later one. */
export function useApprovedTemplates(channelId: string) {
  const account = useAccount()
  const query = { channel_id: channelId, status: 'APPROVED' }
  return useQuery<Template[], ApiError>({
    queryKey: [...keyOf(account, 'GET /account/templates', { query }), 'all'],
    queryFn: async ({ signal }) => {
      const all: Template[] = []
      let after: string | null = null
      for (let page = 0; page < pagesMax; page++) {
        const asked: { query: typeof query & { after?: string } } = { query: after === null ? query : { ...query, after } }
        const answer = await call('GET /account/templates', asked, { accountId: account.id, mode: account.mode, signal })
        all.push(...answer.data)
        after = answer.next_cursor
        if (after === null) break
      }
      return all
    },
    staleTime: 60_000,
  })
}
