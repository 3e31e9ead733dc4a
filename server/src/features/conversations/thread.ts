import type { Uuid } from '../../base/id.ts'
import type { JsonText } from '../../base/json.ts'
import { because, type Refusal, refusal } from '../../base/refusal.ts'
import { ok, type Result, refused } from '../../base/result.ts'
import type { Queries } from '../../platform/database/database.ts'
import { findContactsById, idsOf } from '../contacts/public.ts'
import { findMessages, lastUuid, listThreadAfter, listThreadBefore, teamMessages } from '../messages/public.ts'
import type { Conversation } from './conversation.ts'
import { type ConversationKey, findConversation } from './store.ts'
import type { Team } from './team.ts'

type Deps = { database: Queries; team: Team }

export type ThreadWanted = ConversationKey & { limit: number } & (
    | { from: 'end' }
    /** Older, or newer, than a message; or both sides of it and itself. */
    | { from: 'before' | 'after' | 'around'; messageId: Uuid }
  )

/** `hasMore`: older ones, or with `after` newer ones; `hasNewer` tells of newer ones where both sides were asked for. */
export type ThreadPage = { items: JsonText[]; hasMore: boolean; hasNewer: boolean }

export const noConversation = refusal('not_found', because('no_conversation', 'There is no conversation with this id.'))

/** One page of a conversation, newest first: all that was ever said with the person under any of their ids. */
export async function listThread({ database, team }: Deps, wanted: ThreadWanted): Promise<Result<ThreadPage, Refusal>> {
  const conversation = await findConversation(database, wanted)
  if (conversation === null) return refused(noConversation)
  const { messages, hasMore, hasNewer } = await pageOf(database, await threadOf(database, conversation), wanted)
  const items = await teamMessages({ database, namesOf: team.namesOf }, wanted.accountId, messages)
  return ok({ items, hasMore, hasNewer })
}

/** Whose messages a conversation has. */
export async function threadOf(queries: Queries, conversation: Conversation) {
  const { accountId, livemode, channelId, contactId } = conversation
  const [contact] = await findContactsById(queries, [{ accountId, id: contactId }])
  return { accountId, livemode, channelId, contactIds: contact === undefined ? [contactId] : idsOf(contact) }
}

async function pageOf(queries: Queries, of: Awaited<ReturnType<typeof threadOf>>, wanted: ThreadWanted) {
  const { limit } = wanted
  if (wanted.from === 'after') {
    const newer = await listThreadAfter(queries, of, wanted.messageId, limit + 1)
    return { messages: newer.slice(0, limit).toReversed(), hasMore: newer.length > limit, hasNewer: newer.length > limit }
  }
  if (wanted.from === 'around') {
    const newerMax = Math.floor(limit / 2)
    const [newer, older, [own]] = await Promise.all([
      listThreadAfter(queries, of, wanted.messageId, newerMax + 1),
      listThreadBefore(queries, of, wanted.messageId, limit - newerMax),
      findMessages(queries, of.accountId, of.livemode, [wanted.messageId]),
    ])
    const isHere = own !== undefined && own.channelId === of.channelId && of.contactIds.includes(own.contactId)
    const olderMax = limit - newerMax - 1
    return {
      messages: [...newer.slice(0, newerMax).toReversed(), ...(isHere ? [own] : []), ...older.slice(0, olderMax)],
      hasMore: older.length > olderMax,
      hasNewer: newer.length > newerMax,
    }
  }
  const older = await listThreadBefore(queries, of, wanted.from === 'end' ? lastUuid : wanted.messageId, limit + 1)
  return { messages: older.slice(0, limit), hasMore: older.length > limit, hasNewer: false }
}

/** Messages by id as the team sees them, newest first; those that are not there, not any more, or not of this mode are left out. */
export async function getMessages(
  { database, team }: Deps,
  { accountId, livemode, ids }: { accountId: Uuid; livemode: boolean; ids: readonly Uuid[] },
): Promise<JsonText[]> {
  const messages = (await findMessages(database, accountId, livemode, [...new Set(ids)])).toSorted((a, b) => (a.id < b.id ? 1 : -1))
  return teamMessages({ database, namesOf: team.namesOf }, accountId, messages)
}
