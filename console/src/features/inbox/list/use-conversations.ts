import { useReadList } from '../../../api/account.ts'
import { useMe } from '../../../api/me.ts'
import type { Conversation } from '../../../api/planned-operations.ts'
import { type InboxSearch, queryOf } from '../views.ts'

/** The conversations of the chosen view and filters. */
export function useConversations(search: InboxSearch) {
  const me = useMe().data?.user.id
  return useReadList('GET /account/conversations', { query: queryOf(search, me) }, { positionOf })
}

/** Their order changes with each message: a place in it is a moment and an id. */
const positionOf = ({ last_at, id }: Conversation) => `${Date.parse(last_at)}.${id}`
