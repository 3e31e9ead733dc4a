import { present } from '../../base/assert.ts'
import type { Clock } from '../../base/clock.ts'
import type { Uuid } from '../../base/id.ts'
import type { Tx } from '../../platform/database/database.ts'
import { countUsage } from '../usage/public.ts'
import type { DeliveryHint } from '../webhooks/public.ts'
import type { Message } from './message.ts'
import { type Move, moveMessage } from './move.ts'
import { findIntentsOf, finishSettledSends } from './send-queue.ts'
import { claimWamids, lockMessages, updateMoved } from './store.ts'
import { takeOverWamids } from './take-over-store.ts'
import { type Told, tellOf } from './tell.ts'

export type MessageMove = { accountId: Uuid; id: Uuid; move: Move }

/** What else a transaction has to tell, and which other messages it made or changed. */
export type Besides = { told: readonly Told[]; counted: readonly Counted[] }
export type Counted = Parameters<typeof countUsage>[1][number]

export const nothingBesides: Besides = { told: [], counted: [] }

/**
 * The one place where the statuses of messages change: locks them, moves each, writes what changed, names new wamids, records the
 * events and counts, all in the caller's transaction and last in it. Several moves of one message are applied in the order given. What
 * the transaction has to tell and to count besides goes along, so that webhooks and counters are locked once, in this order. Answers
 * which webhooks to wake after commit.
 */
export async function applyMoves(
  tx: Tx,
  clock: Clock,
  moves: readonly MessageMove[],
  besides: Besides = nothingBesides,
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
  if (changed.length === 0) return tellAndCount(tx, clock, besides)
  const settled = changed.filter((each) => isSettled(each, before.get(each.id)))
  const named = changed.filter((each) => each.wamid !== null && before.get(each.id)?.wamid === null)
  const counted = [...besides.counted, ...changed.map((message) => ({ before: before.get(message.id) ?? null, after: message }))]
  // In this order, without waiting in between.
  const [, , , hints] = await Promise.all([
    updateMoved(tx, changed),
    finishSettledSends(tx, settled),
    nameWamids(tx, named),
    tellAndCount(tx, clock, { told, counted }),
  ])
  return hints
}

/** The events lock the lanes of webhooks, and the counters are locked by whoever counts for the same account: always in this order, and last. */
async function tellAndCount(tx: Tx, clock: Clock, { told, counted }: Besides): Promise<readonly DeliveryHint[]> {
  const hints = await tellOf(tx, clock, told)
  await countUsage(tx, counted)
  return hints
}

/** A notice that settles an unknown outcome dates the send by the intent. */
const withIntent = (move: Move, intentAt: Date | undefined): Move =>
  move.kind === 'status' && intentAt !== undefined ? { ...move, intentAt } : move

/** It was unknown, or would have become so in this very transaction, and is not any more: its queue row has done its work. */
const isSettled = (after: Message, before: Message | undefined) =>
  after.status !== 'queued' &&
  (before?.outcomeUnknown === true || after.status === 'failed' || (before?.sentAt === null && after.sentAt !== null))

async function nameWamids(tx: Tx, messages: readonly Message[]): Promise<void> {
  if (messages.length === 0) return
  const named = messages.map(({ accountId, channelId, wamid, id }) => ({
    accountId,
    channelId,
    wamid: present(wamid, 'filtered above'),
    messageId: id,
  }))
  const claimed = await claimWamids(tx, named)
  // Mostly none: only what overtook the answer to the send can have been here before it.
  await takeOverWamids(
    tx,
    named.filter((each) => !claimed.has(each.messageId)),
  )
}
