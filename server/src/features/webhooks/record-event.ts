import type { Clock } from '../../base/clock.ts'
import { newUuid, type Uuid } from '../../base/id.ts'
import type { Tx } from '../../platform/database/database.ts'
import { shardOf } from '../../platform/lanes/shard.ts'
import { eventBody, type NewEvent } from './event.ts'
import { bumpLanes, type DeliveryRow, type EventRow, findListeners, insertEvents, type Listener } from './event-store.ts'
import { wantsEvent } from './rules.ts'
import type { DeliveryHint } from './webhook.ts'

type Deps = { clock: Clock }

/**
 * Records events, and one delivery for each enabled webhook that wants one, in the caller's transaction: they commit with what they
 * tell of, or not at all. Three statements at most, whatever the number of events. Call it last in the transaction: it locks
 * the lanes of the webhooks until commit. The answer says which lanes to wake after commit; losing it only costs time.
 */
export async function recordEvents(tx: Tx, deps: Deps, events: readonly NewEvent[]): Promise<readonly DeliveryHint[]> {
  if (events.length === 0) return []
  const now = deps.clock.now()
  const listeners = Map.groupBy(await findListeners(tx, accountsOf(events)), (each) => each.accountId)
  const rows = events.map((event) => eventRow(event, now))
  const deliveries = rows.flatMap((row) => deliveriesOf(row, listeners.get(row.accountId) ?? [], now))
  await insertEvents(tx, rows, deliveries, now)
  const lanes = lanesOf(deliveries)
  if (lanes.length > 0) await bumpLanes(tx, lanes, now)
  return lanes
}

const accountsOf = (events: readonly NewEvent[]): Uuid[] => [...new Set(events.map((each) => each.accountId))]

function eventRow(event: NewEvent, now: Date): EventRow {
  const id = newUuid(now)
  const { accountId, type, livemode, subject = null } = event
  return { accountId, id, type, livemode, subject, body: eventBody(event, { id, createdAt: now }) }
}

function deliveriesOf(event: EventRow, listeners: readonly Listener[], now: Date): DeliveryRow[] {
  return listeners
    .filter((each) => wantsEvent(each.events, event.type))
    .map(({ accountId, webhookId }) => ({ accountId, id: newUuid(now), webhookId, eventId: event.id, type: event.type }))
}

function lanesOf(deliveries: readonly DeliveryRow[]): DeliveryHint[] {
  const lanes = new Map(deliveries.map(({ accountId, webhookId }) => [webhookId, { accountId, webhookId }]))
  return [...lanes.values()].map((lane) => ({ ...lane, shard: shardOf(lane.accountId, lane.webhookId) }))
}
