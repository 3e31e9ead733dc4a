import type { Clock } from '../../base/clock.ts'
import { newUuid } from '../../base/id.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import { faultWords, isAway, isConflict } from '../../platform/database/failure.ts'
import { findChannels } from '../channels/public.ts'
import { anyParked, applyStatuses, beforeAllParked, dropParked, lookThroughParked, takeUnparked } from '../messages/public.ts'
import type { DeliveryHint } from '../webhooks/public.ts'
import { noticeOfItem } from './item-notice.ts'
import { statusItem } from './read-status.ts'
import { insertNotices, type RawNotice } from './store.ts'

export type ParkedObservation = { kind: 'notices.parked_failed'; message: string }

type Deps = {
  database: Database
  clock: Clock
  observe: (observation: ParkedObservation) => void
  wakeDeliveries: (hints: readonly DeliveryHint[]) => void
}

const everyMs = 5_000
const statusesMax = 500
/** Another tool's statuses may be millions: nearly all that is ours is marked when it becomes known. */
const lookedAtMax = 2_000

/** Every few seconds: applies the parked statuses whose message has become known, and drops those that are too old (rule: receive 8). */
export function createParkedStatuses(deps: Deps): () => Promise<void> {
  const { database, clock, observe, wakeDeliveries } = deps
  let nextMs = 0
  let place = beforeAllParked
  return async () => {
    const nowMs = clock.monotonicMs()
    if (nowMs < nextMs) return
    nextMs = nowMs + everyMs
    if (!(await anyParked(database))) return
    place = await lookThroughParked(database, place, lookedAtMax)
    try {
      wakeDeliveries(await database.repeatable(async (tx) => applyStatuses(tx, clock, await takeUnparked(tx, statusesMax))))
    } catch (error) {
      if (isAway(error) || isConflict(error)) throw error
      // One of them is at fault: as notices they are told apart, and tried three times.
      observe({ kind: 'notices.parked_failed', message: faultWords(error) })
      await database.repeatable((tx) => keepAsNotices(tx, clock))
    }
    await dropParked(database, clock)
  }
}

async function keepAsNotices(tx: Tx, clock: Clock): Promise<void> {
  const now = clock.now()
  const statuses = await takeUnparked(tx, statusesMax)
  const channels = await findChannels(tx, statuses)
  const notices = statuses.flatMap((status): RawNotice[] => {
    const channel = channels.get(status.channelId)
    if (channel === undefined) return []
    const { phoneNumberId, accountId } = channel
    const body = noticeOfItem(Buffer.alloc(0), { kind: 'status', phoneNumberId, status: statusItem(status) })
    const { livemode } = status
    return [{ id: newUuid(now), livemode, accountId: livemode ? null : accountId, body, dueAt: now, receivedAt: now }]
  })
  await insertNotices(tx, notices)
}
