import { Type } from 'typebox'
import { parseId, type Uuid } from '../../base/id.ts'
import type { MemberCaller } from '../../platform/http/caller.ts'
import type { ConversationKey } from './store.ts'

export const tags = ['Inbox']

/** Whoever reads messages reads conversations, in test mode too. */
export const reading = { access: { scope: 'messages:read', testKeys: true } }
/** Whoever works in the inbox. */
export const writing = { access: { scope: 'inbox:write', testKeys: true } }

export const conversationParams = Type.Object({ id: Type.String({ description: 'The id of the conversation.' }) })

/** What is no id is the id of nothing. */
export function keyOf({ accountId, livemode }: MemberCaller, id: string): ConversationKey {
  return { accountId, livemode, id: parseId('cnv', id) ?? ('00000000-0000-0000-0000-000000000000' as Uuid) }
}
