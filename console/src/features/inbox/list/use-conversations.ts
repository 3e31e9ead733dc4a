import { useReadList } from '../../../api/account.ts'
import type { Conversation } from '../../../api/generated/operations.ts'
import { type InboxSearch, queryOf } from '../views.ts'

/** The conversations of the chosen view and filters. */
export function useConversations(search: InboxSearch) {
  return useReadList('GET /account/conversations', { query: queryOf(search) }, { positionOf })
}

/** Their order changes with each message: a place in it is a moment and an id. */
const positionOf = ({ last_at, id }: Conversation) => `${Date.parse(last_at)}.${id}`
