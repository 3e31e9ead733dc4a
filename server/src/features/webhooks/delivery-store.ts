import type { Uuid } from '../../base/id.ts'
import type { Sealed } from '../../base/seal.ts'
import type { Queries, Tx } from '../../platform/database/database.ts'
import { statement } from '../../platform/database/statement.ts'
import type { EventKind } from './event.ts'
import type { DeliveryMove } from './webhook.ts'

export type DueLane = LaneKey & { shard: number; earliestDue: Date; failingSince: Date | null; hasRetries: boolean }
export type LaneKey = { accountId: Uuid; webhookId: Uuid }

const findDue = statement(
  'find_due_webhook_lanes',
  // Paged by the key, not by the moment: a lane that stays due must not hide the ones behind it. Served by webhook_lane_due.
  `select account_id as "accountId", webhook_id as "webhookId", shard, earliest_due as "earliestDue",
    failing_since as "failingSince", has_retries as "hasRetries"
  from webhook_lane
  where earliest_due < 'infinity' and earliest_due <= $2 and shard = any($1::smallint[]) and (account_id, webhook_id) > ($3, $4)
  order by account_id, webhook_id
  limit $5`,
)

/** Up to `limit` lanes of these shards that are due by `due`, after the key `after`, in the order of their keys. */
export async function findDueLanes(
  queries: Queries,
  input: { shards: readonly number[]; due: Date; after: LaneKey; limit: number },
): Promise<DueLane[]> {
  const { shards, due, after, limit } = input
  return queries.run<DueLane>(findDue, [shards, due, after.accountId, after.webhookId, limit])
}

export type DueDelivery = {
  accountId: Uuid
  id: Uuid
  webhookId: Uuid
  eventId: Uuid
  eventType: EventKind
  /** Automatic attempts that ended before this one. */
  attempt: number
  body: Buffer
  url: string
  secret: Sealed
  previousSecret: Sealed | null
  previousSecretUntil: Date | null
  failingSince: Date | null
  /** Whether retries wait in the lane. */
  hasRetries: boolean
}

const takeDueOf = statement(
  'take_due_deliveries',
  // One probe of delivery_due for each webhook and partition, however many rows wait: a dead webhook's million is never looked at.
  // One list ordered by next_at over all webhooks would find only those. `id >= $5` leaves out old partitions before any is opened; an
  // event may be a millisecond older than its delivery, hence its own bound. What is under way comes first in the index and is passed
  // over: as many rows as we have slots, 256. The oldest of a webhook come first; the order between webhooks is the caller's business.
  `select due.account_id as "accountId", due.id, due.webhook_id as "webhookId", due.event_id as "eventId", due.event_type as "eventType",
    due.attempt, event.body, webhook.url, webhook.secret, webhook.previous_secret as "previousSecret",
    webhook.previous_secret_until as "previousSecretUntil", webhook_lane.failing_since as "failingSince",
    webhook_lane.has_retries as "hasRetries"
  from unnest($1::uuid[], $2::uuid[], $3::integer[]) as turn (account_id, webhook_id, wanted)
  join webhook on webhook.account_id = turn.account_id and webhook.id = turn.webhook_id and webhook.enabled
  join webhook_lane on webhook_lane.account_id = turn.account_id and webhook_lane.webhook_id = turn.webhook_id
  cross join lateral (
    select account_id, id, webhook_id, event_id, event_type, attempt
    from delivery
    where delivery.account_id = turn.account_id and delivery.webhook_id = turn.webhook_id
      and status = 'pending' and next_at <= $4 and id >= $5 and id <> all ($7::uuid[])
    order by next_at
    limit turn.wanted
  ) as due
  join event on event.account_id = due.account_id and event.id = due.event_id and event.id >= $6`,
)

/**
 * Up to `wanted` due deliveries of each enabled webhook, without those under way. Takes no lock and writes nothing: the caller, who owns the
 * shard, remembers what it took, and a compare-and-set at the end settles what two owners did at once.
 */
export async function takeDue(
  queries: Queries,
  input: {
    turns: readonly (LaneKey & { wanted: number })[]
    due: Date
    deliveriesFrom: Uuid
    eventsFrom: Uuid
    underWay: Iterable<Uuid>
  },
): Promise<DueDelivery[]> {
  const { turns, due, deliveriesFrom, eventsFrom, underWay } = input
  return queries.run<DueDelivery>(takeDueOf, [
    turns.map((each) => each.accountId),
    turns.map((each) => each.webhookId),
    turns.map((each) => each.wanted),
    due,
    deliveriesFrom,
    eventsFrom,
    [...underWay],
  ])
}

export type AttemptRow = {
  accountId: Uuid
  deliveryId: Uuid
  webhookId: Uuid
  /** Automatic attempts that had ended when this one was taken: what the compare-and-set compares. */
  attempt: number
  startedAt: Date
  durationMs: number
  statusCode: number | null
  error: string | null
  responseHead: string
  move: DeliveryMove
}

const recordAttemptsOf = statement(
  'record_delivery_attempts',
  // The compare-and-set on `attempt` makes repeating this harmless, and lets one of two owners count. A delivery that was canceled
  // meanwhile keeps its status, but what was really posted is in its history all the same. The bounds on delivery leave out old partitions.
  // Those on the results change nothing but the planner's guess of their number, from ten to one: it then looks each delivery up by
  // its key, where it would otherwise read a whole partition (2.4 ms instead of 0.2 ms at 10,000 rows, and growing with them).
  `with result as (
    select * from unnest($1::uuid[], $2::uuid[], $3::smallint[], $4::text[], $5::timestamptz[], $6::timestamptz[], $7::integer[],
      $8::smallint[], $9::text[], $10::text[])
      as item (account_id, id, attempt, status, next_at, started_at, ms, status_code, error, response_head)
    where id between $11 and $12
  ), moved as (
    update delivery set
      attempt = delivery.attempt + 1,
      attempts = delivery.attempts + 1,
      status = case when delivery.status = 'pending' then result.status else delivery.status end,
      next_at = case when delivery.status = 'pending' then result.next_at end
    from result
    where delivery.account_id = result.account_id and delivery.id = result.id and delivery.attempt = result.attempt
      and delivery.id between $11 and $12
    returning delivery.account_id, delivery.id, delivery.attempts, result.started_at, result.ms, result.status_code, result.error,
      result.response_head
  )
  insert into delivery_attempt (account_id, delivery_id, n, manual, started_at, ms, status_code, error, response_head)
  select account_id, id, attempts, false, started_at, ms, status_code, error, response_head
  from moved`,
)

/** Writes the history of automatic attempts and moves their deliveries. Locks the deliveries in no order: use `repeatable`. May be done twice. */
export async function recordAttempts(tx: Tx, rows: readonly AttemptRow[]): Promise<void> {
  const ids = rows.map((each) => each.deliveryId).sort()
  await tx.run(recordAttemptsOf, [
    rows.map((each) => each.accountId),
    rows.map((each) => each.deliveryId),
    rows.map((each) => each.attempt),
    rows.map((each) => each.move.status),
    rows.map((each) => each.move.nextAt),
    rows.map((each) => each.startedAt),
    rows.map((each) => each.durationMs),
    rows.map((each) => each.statusCode),
    rows.map((each) => each.error),
    rows.map((each) => each.responseHead),
    ids[0],
    ids.at(-1),
  ])
}

const cancelPendingOf = statement(
  'cancel_pending_deliveries',
  `with chosen as (
    select account_id, id from delivery
    where account_id = $1 and webhook_id = $2 and status = 'pending' and id < $3
    order by next_at
    limit $4
    for update
  ), canceled as (
    update delivery set status = 'canceled', next_at = null
    from chosen
    where delivery.account_id = chosen.account_id and delivery.id = chosen.id
    returning 1
  )
  select count(*)::integer as count from canceled`,
)

/** Cancels up to `limit` pending deliveries of a webhook with an id below `below`, and answers how many. Locks them. */
export async function cancelPending(tx: Tx, lane: LaneKey, input: { below: Uuid; limit: number }): Promise<number> {
  const rows = await tx.run<{ count: number }>(cancelPendingOf, [lane.accountId, lane.webhookId, input.below, input.limit])
  return rows[0]?.count ?? 0
}
