import { present } from '../../base/assert.ts'
import type { Clock } from '../../base/clock.ts'
import type { Uuid } from '../../base/id.ts'
import type { Tx } from '../../platform/database/database.ts'
import { hearWishes } from '../opt-outs/public.ts'
import { uncountUsage } from '../usage/public.ts'
import type { DeliveryHint } from '../webhooks/public.ts'
import { recordChanges } from './feed.ts'
import { wishesOfFailures } from './marketing-wishes.ts'
import type { Message } from './message.ts'
import { type Move, moveMessage } from './move.ts'
import { findIntentsOf, finishSettledSends } from './send-queue.ts'
import { claimWamids, lockMessages, updateMoved } from './store.ts'
import { type DroppedEcho, takeOverWamids } from './take-over-store.ts'
import { nothing, type Outcome, type Told, tellAndCount } from './tell.ts'

export type MessageMove = { accountId: Uuid; id: Uuid; move: Move }

/**
 * The one place where the statuses of messages change: locks them, moves each, writes what changed, names new wamids and records the
 * events and counts, all in the caller's transaction and last in it. Several moves of one message are applied in the order given. What the
 * transaction has to tell besides goes first. Answers which webhooks to wake after commit.
 */
export async function applyMoves(
  tx: Tx,
  clock: Clock,
  moves: readonly MessageMove[],
  besides: Outcome = nothing,
): Promise<readonly DeliveryHint[]> {
  if (moves.length === 0) return tellAndCount(tx, clock, besides)
  const ids = new Map(moves.map((each) => [each.id, each]))
  const before = new Map((await lockMessages(tx, [...ids.values()])).map((message) => [message.id, message]))
  const intents = await findIntentsOf(
    tx,
    [...before.values()].filter((message) => message.outcomeUnknown),
  )
  const after = new Map<Uuid, Message>()
  const told: Told[] = [...besides.told]
  for (const { id, move } of moves) {
    const message = after.get(id) ?? before.get(id)
    const moved = message && moveMessage(message, withIntent(move, intents.get(id)))
    if (!moved) continue
    after.set(id, moved.message)
    for (const type of moved.events) told.push({ type, message: moved.message })
  }
  const changed = [...after.values()]
  if (changed.length === 0) return tellAndCount(tx, clock, { ...besides, told })
  const settled = changed.filter((each) => isSettled(each, before.get(each.id)))
  const named = changed.filter((each) => each.wamid !== null && before.get(each.id)?.wamid === null)
  const counted = changed.map((message) => ({ before: before.get(message.id) ?? null, after: message }))
  await hearWishes(tx, { clock }, wishesOfFailures(changed.filter((each) => before.get(each.id)?.status !== 'failed')))
  // In this order, without waiting in between; the events lock the lanes of webhooks, so they come last.
  const [, , dropped, hints] = await Promise.all([
    updateMoved(tx, changed),
    finishSettledSends(tx, settled),
    nameWamids(tx, clock, named),
    tellAndCount(tx, clock, { ...besides, told, counted: [...besides.counted, ...counted] }),
  ])
  // rule: usage 5. Mostly none. Counters of the team's sends come after all others of their account.
  await uncountUsage(tx, dropped)
  return hints
}

/** A notice that settles an unknown outcome dates the send by the intent. */
const withIntent = (move: Move, intentAt: Date | undefined): Move =>
  move.kind === 'status' && intentAt !== undefined ? { ...move, intentAt } : move

/** It was unknown, or would have become so in this very transaction, and is not any more: its queue row has done its work. */
const isSettled = (after: Message, before: Message | undefined) =>
  after.status !== 'queued' &&
  (before?.outcomeUnknown === true || after.status === 'failed' || (before?.sentAt === null && after.sentAt !== null))

/** Returns the echoes that gave way to these. */
async function nameWamids(tx: Tx, clock: Clock, messages: readonly Message[]): Promise<readonly DroppedEcho[]> {
  if (messages.length === 0) return []
  const named = messages.map(({ accountId, channelId, wamid, id }) => ({
    accountId,
    channelId,
    wamid: present(wamid, 'filtered above'),
    messageId: id,
  }))
  const claimed = await claimWamids(tx, named)
  // Mostly none: only what overtook the answer to the send can have been here before it.
  const dropped = await takeOverWamids(
    tx,
    named.filter((each) => !claimed.has(each.messageId)),
  )
  await recordChanges(
    tx,
    clock.now(),
    dropped.map(({ accountId, livemode, id }) => ({ accountId, livemode, id, how: 'changed' })),
  )
  return dropped
}
