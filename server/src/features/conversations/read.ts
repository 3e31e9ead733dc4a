import type { Clock } from '../../base/clock.ts'
import type { Uuid } from '../../base/id.ts'
import type { Refusal } from '../../base/refusal.ts'
import { ok, type Result, refused } from '../../base/result.ts'
import type { Unseal } from '../../base/seal.ts'
import { limits } from '../../limits.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Graph } from '../../platform/upstream/graph.ts'
import { lastInboundOf } from '../contacts/public.ts'
import { markRead, newestInbound, recordChanges } from '../messages/public.ts'
import { type ConversationKey, findConversation, lockConversation, updateConversation } from './store.ts'
import { noConversation, threadOf } from './thread.ts'

export type ReadDeps = { database: Database; clock: Clock; graph: Graph; unseal: Unseal }

/**
 * Notes that the team has read a conversation, and shows it to the person. That upstream cannot be told changes nothing of the first:
 * `told` says whether it was.
 */
export async function readConversation(deps: ReadDeps, key: ConversationKey): Promise<Result<{ unread: 0; told: boolean }, Refusal>> {
  const { database, clock } = deps
  const read = await database.transaction(async (tx) => {
    const conversation = await lockConversation(tx, key)
    if (conversation === null) return null
    const newest = await newestInbound(tx, await threadOf(tx, conversation))
    const readTo = [newest, conversation.readTo, conversation.lastMessageId].reduce((a, b) => ((a ?? '') < (b ?? '') ? b : a))
    if (conversation.unread === 0 && (newest === null || (conversation.readTo ?? '') >= newest)) return { newest: null }
    await updateConversation(tx, { ...conversation, unread: 0, readTo })
    await recordChanges(tx, clock.now(), [{ ...conversation, how: 'conversation' }])
    return { newest }
  })
  if (read === null) return refused(noConversation)
  const told = key.livemode && read.newest !== null && (await tellRead(deps, key.accountId, read.newest, false))
  return ok({ unread: 0, told })
}

async function tellRead(deps: ReadDeps, accountId: Uuid, id: Uuid, typing: boolean): Promise<boolean> {
  return (await markRead(deps, { accountId, id, typing })).ok
}

/** How long upstream shows that somebody is typing, about. */
const typingMs = 20_000
const rememberedMax = 10_000

/**
 * Shows the person that somebody is typing, at most every 20 s in a conversation; `shown` says whether it was. Only within the window, and
 * it marks what the person wrote as read: upstream knows no other way.
 */
export function createTyping(deps: ReadDeps): (key: ConversationKey) => Promise<Result<{ shown: boolean }, Refusal>> {
  const last = new Map<Uuid, number>()
  return async (key) => {
    const conversation = await findConversation(deps.database, key)
    if (conversation === null) return refused(noConversation)
    const nowMs = deps.clock.monotonicMs()
    const [lastInboundAt] = await lastInboundOf(deps.database, [conversation])
    const isOpen = lastInboundAt && deps.clock.now().getTime() - lastInboundAt.getTime() < limits.serviceWindowMs
    if (!key.livemode || !isOpen || nowMs - (last.get(key.id) ?? Number.NEGATIVE_INFINITY) < typingMs) return ok({ shown: false })
    const newest = await newestInbound(deps.database, await threadOf(deps.database, conversation))
    if (newest === null) return ok({ shown: false })
    // Before the call, so that two at once are one.
    last.delete(key.id)
    last.set(key.id, nowMs)
    for (const oldest of last.keys()) if (last.size > rememberedMax) last.delete(oldest)
    return ok({ shown: await tellRead(deps, key.accountId, newest, true) })
  }
}
