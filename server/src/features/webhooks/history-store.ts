import { type Selectable, sql } from 'kysely'
import type { Uuid } from '../../base/id.ts'
import type { Queries } from '../../platform/database/database.ts'
import { queryBuilder, statement } from '../../platform/database/statement.ts'
import { pageInSteps } from '../../platform/database/steps.ts'
import type { LaneKey } from './delivery-store.ts'
import type { EventKind } from './event.ts'
import type { DeliveryStatus } from './webhook.ts'

export type DeliveryTable = {
  account_id: Uuid
  id: Uuid
  webhook_id: Uuid
  event_id: Uuid
  event_type: EventKind
  status: DeliveryStatus
  attempts: number
  next_at: Date | null
  created_at: Date
}

/** A delivery as its history shows it. `attempts`: how many have ended, manual ones too. */
export type Delivery = {
  accountId: Uuid
  id: Uuid
  webhookId: Uuid
  eventId: Uuid
  eventType: EventKind
  status: DeliveryStatus
  attempts: number
  nextAt: Date | null
  createdAt: Date
}

const build = queryBuilder<{ delivery: DeliveryTable }>()
export const deliveryColumns = [
  'account_id',
  'id',
  'webhook_id',
  'event_id',
  'event_type',
  'status',
  'attempts',
  'next_at',
  'created_at',
] as const

export type DeliveryFilter = { before: Uuid | null; status: DeliveryStatus | null; eventType: EventKind | null }

/** The newest deliveries of a webhook, newest first. Looked for in steps, so that what fits few of them reads a bounded number at once. */
export function listDeliveries(queries: Queries, lane: LaneKey, filter: DeliveryFilter & { limit: number }): Promise<Delivery[]> {
  return pageInSteps(filter.before, filter.limit, async ({ from, limit, rows }) => {
    const ordered = inOrder(lane, filter.status, from)
    let fitting = build.selectFrom(ordered.select(deliveryColumns).limit(rows).as('delivery')).selectAll()
    if (filter.status !== null) fitting = fitting.where('status', '=', filter.status)
    if (filter.eventType !== null) fitting = fitting.where('event_type', '=', filter.eventType)
    const found = (await queries.all(fitting.orderBy('id', 'desc').limit(limit))).map(deliveryOf)
    if (found.length === limit) return { found, next: null }
    const last = ordered.select('id').offset(rows - 1)
    const next = (await queries.all(last.limit(1)))[0]?.id ?? null
    // Where new ones came meanwhile, it lies further up: what is below it is found again.
    return { found: next === null ? found : found.filter(({ id }) => id >= next), next }
  })
}

/** By `delivery_history`, or by the index of those that failed. */
function inOrder(lane: LaneKey, status: DeliveryStatus | null, before: Uuid | null) {
  let query = build.selectFrom('delivery').where('account_id', '=', lane.accountId).where('webhook_id', '=', lane.webhookId)
  if (before !== null) query = query.where('id', '<', before)
  // Written out, not a parameter: only so can the planner use the index that holds these alone.
  if (status === 'failed') query = query.where('status', '=', sql.lit('failed' as const))
  return query.orderBy('id', 'desc')
}

const findOne = statement(
  'find_delivery',
  `select account_id, id, webhook_id, event_id, event_type, status, attempts, next_at, created_at,
    exists (select from delivery_retry where delivery_retry.account_id = $1 and delivery_retry.delivery_id = $3) as "retryWaits"
  from delivery
  where account_id = $1 and webhook_id = $2 and id = $3`,
)

/** One delivery, and whether a retry of it waits or is under way; null when the webhook has none with this id. */
export async function findDelivery(queries: Queries, lane: LaneKey, id: Uuid): Promise<{ delivery: Delivery; retryWaits: boolean } | null> {
  type Row = Selectable<DeliveryTable> & { retryWaits: boolean }
  const [row] = await queries.run<Row>(findOne, [lane.accountId, lane.webhookId, id])
  return row === undefined ? null : { delivery: deliveryOf(row), retryWaits: row.retryWaits }
}

export type Attempt = {
  deliveryId: Uuid
  number: number
  manual: boolean
  startedAt: Date
  durationMs: number
  statusCode: number | null
  error: string | null
  responseHead: string
}

const findAttemptsOf = statement(
  'find_delivery_attempts',
  // The bounds leave out the partitions of other days.
  `select delivery_id as "deliveryId", n as number, manual, started_at as "startedAt", ms as "durationMs", status_code as "statusCode",
    error, response_head as "responseHead"
  from delivery_attempt
  where account_id = $1 and delivery_id = any($2::uuid[]) and delivery_id between $3 and $4
  order by delivery_id, n`,
)

const findBodiesOf = statement(
  'find_event_bodies',
  'select id, body from event where account_id = $1 and id = any($2::uuid[]) and id between $3 and $4',
)

/** What the history of these deliveries of one account shows beside them: their attempts in order, and the bodies of the events still kept. */
export async function findHistory(
  queries: Queries,
  deliveries: readonly Delivery[],
): Promise<{ attempts: Map<Uuid, Attempt[]>; bodies: Map<Uuid, Buffer> }> {
  const [first] = deliveries
  if (first === undefined) return { attempts: new Map(), bodies: new Map() }
  const ids = deliveries.map((each) => each.id).sort()
  const eventIds = deliveries.map((each) => each.eventId).sort()
  const attempts = await queries.run<Attempt>(findAttemptsOf, [first.accountId, ids, ids[0], ids.at(-1)])
  const bodies = await queries.run<{ id: Uuid; body: Buffer }>(findBodiesOf, [first.accountId, eventIds, eventIds[0], eventIds.at(-1)])
  return { attempts: Map.groupBy(attempts, (each) => each.deliveryId), bodies: new Map(bodies.map(({ id, body }) => [id, body])) }
}

export function deliveryOf(row: Selectable<DeliveryTable>): Delivery {
  return {
    accountId: row.account_id,
    id: row.id,
    webhookId: row.webhook_id,
    eventId: row.event_id,
    eventType: row.event_type,
    status: row.status,
    attempts: row.attempts,
    nextAt: row.next_at,
    createdAt: row.created_at,
  }
}
