import { useQuery } from '@tanstack/react-query'
import { keyOf, useAccount } from './account.ts'
import { type ApiError, call } from './client.ts'
import type { Template } from './generated/operations.ts'

/** More than the platform lets a business account have. */
const pagesMax = 100

/** All templates, over all pages of the platform: a search must not miss what lies on a later one. */
export function useTemplates(channelId: string | undefined) {
  const account = useAccount()
  const query = channelId === undefined ? {} : { channel_id: channelId }
  return useQuery<Template[], ApiError>({
    queryKey: [...keyOf(account, 'GET /account/templates', { query }), 'all'],
    queryFn: async ({ signal }) => {
      const all: Template[] = []
      let after: string | undefined
      for (let page = 0; page < pagesMax; page++) {
        const asked = after === undefined ? query : { ...query, after }
        const answer = await call('GET /account/templates', { query: asked }, { accountId: account.id, mode: account.mode, signal })
        all.push(...answer.data)
        if (answer.next_cursor === null) break
        after = answer.next_cursor
      }
      return all
    },
    staleTime: 30_000,
  })
}
