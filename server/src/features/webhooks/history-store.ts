import { type Selectable, sql } from 'kysely'
import type { Uuid } from '../../base/id.ts'
import type { Queries } from '../../platform/database/database.ts'
import { queryBuilder, statement } from '../../platform/database/statement.ts'
import { type Lookup, lookingAt, pageInSteps, type SteppedPage, shownOrRefused, stepOf } from '../../platform/database/steps.ts'
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

/**
 * The newest deliveries of a webhook, newest first. Looked for in steps, so that what fits few of them reads a bounded number at once. Throws
 * `TooMuchToRead` where these took too long and nothing was found.
 */
export async function listDeliveries(
  lookup: Lookup,
  lane: LaneKey,
  { before, status, eventType, limit }: DeliveryFilter & { limit: number },
): Promise<SteppedPage<Delivery, Uuid>> {
  const fits = sql<boolean>`(${status}::text is null or status = ${status}::text) and (${eventType}::text is null or event_type = ${eventType}::text)`
  const numbered = sql<number>`row_number() over (order by id desc)`.as('n')
  const page = await pageInSteps<Delivery, Uuid>(lookup, { from: before, limit }, async (step) => {
    const looking = lookingAt(fits, step.rows)
    const window = inOrder(lane, status, step.from)
      .select([...deliveryColumns, numbered])
      .limit(step.rows)
      .as('delivery')
    const query = build.selectFrom(window).selectAll().select(looking.columns).where(looking.where).orderBy('id', 'desc').limit(step.limit)
    const { found, next } = stepOf(await lookup.all(query), step.limit, (row) => row.id)
    return { found: found.map(deliveryOf), next }
  })
  return shownOrRefused(page)
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
