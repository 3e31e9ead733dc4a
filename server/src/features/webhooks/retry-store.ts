import type { Uuid } from '../../base/id.ts'
import type { Sealed } from '../../base/seal.ts'
import type { Queries, Tx } from '../../platform/database/database.ts'
import { statement } from '../../platform/database/statement.ts'
import type { LaneKey } from './delivery-store.ts'
import type { EventKind } from './event.ts'
import type { DeliveryHint } from './webhook.ts'

const insertRetryOf = statement(
  'insert_delivery_retry',
  'insert into delivery_retry (account_id, delivery_id, id, webhook_id, paced) values ($1, $2, $3, $4, false)',
)

/** Queues one retry; its delivery must have none. */
export async function insertRetry(tx: Tx, lane: LaneKey, retry: { id: Uuid; deliveryId: Uuid }): Promise<void> {
  await tx.run(insertRetryOf, [lane.accountId, retry.deliveryId, retry.id, lane.webhookId])
}

const findFailedOf = statement(
  'find_failed_deliveries',
  // Served by delivery_failed, whose rows are the failed ones alone; the id bounds leave out older partitions.
  `select id from delivery
  where account_id = $1 and webhook_id = $2 and status = 'failed' and id >= $3 and id > $4 and attempts < $5
  order by id
  limit $6`,
)

/** Ids of failed deliveries from `from` on and after `after`, in their order. */
export async function findFailed(
  tx: Tx,
  lane: LaneKey,
  input: { from: Uuid; after: Uuid; attemptsBelow: number; limit: number },
): Promise<Uuid[]> {
  const { from, after, attemptsBelow, limit } = input
  const rows = await tx.run<{ id: Uuid }>(findFailedOf, [lane.accountId, lane.webhookId, from, after, attemptsBelow, limit])
  return rows.map((row) => row.id)
}

const insertPaced = statement(
  'insert_paced_retries',
  `insert into delivery_retry (account_id, delivery_id, id, webhook_id, paced)
  select $1, delivery_id, id, $2, true from unnest($3::uuid[], $4::uuid[]) as item (delivery_id, id)
  on conflict (account_id, delivery_id) do nothing
  returning 1`,
)

/** Queues paced retries, but for deliveries that have one already, and answers how many. */
export async function insertPacedRetries(tx: Tx, lane: LaneKey, retries: readonly { id: Uuid; deliveryId: Uuid }[]): Promise<number> {
  const values = [lane.accountId, lane.webhookId, retries.map((each) => each.deliveryId), retries.map((each) => each.id)]
  return (await tx.run(insertPaced, values)).length
}

const bumpForRetriesOf = statement(
  'bump_webhook_lane_for_retries',
  `insert into webhook_lane (account_id, webhook_id, shard, earliest_due, has_retries)
  values ($1, $2, $3, $4, true)
  on conflict (account_id, webhook_id)
  do update set earliest_due = least(webhook_lane.earliest_due, excluded.earliest_due), has_retries = true`,
)

/**
 * Makes a lane due for the retries that this transaction has queued: its last statement, as `bumpLanes` is, and for the reason told there. The
 * owner takes `has_retries` back under the same lock.
 */
export async function bumpForRetries(tx: Tx, lane: DeliveryHint, due: Date): Promise<void> {
  await tx.run(bumpForRetriesOf, [lane.accountId, lane.webhookId, lane.shard, due])
}

/** A retry that waits, with what its attempt needs. */
export type WaitingRetry = {
  retryId: Uuid
  paced: boolean
  accountId: Uuid
  /** Of the delivery. */
  id: Uuid
  webhookId: Uuid
  eventId: Uuid
  eventType: EventKind
  body: Buffer
  url: string
  secret: Sealed
  previousSecret: Sealed | null
  previousSecretUntil: Date | null
  failingSince: Date | null
}

type RetryRow = WaitingRetry & { body: Buffer | null }

const takeRetriesOf = statement(
  'take_delivery_retries',
  // One probe of delivery_retry_waiting for each webhook. The deliveries may be of any age, so every partition is open here: why this
  // is a statement of its own, run only for lanes that have retries. `limit 1` inside the last two makes the planner look each row up
  // by its key, in its one partition, where a join could read whole ones.
  `select waiting.id as "retryId", waiting.paced, waiting.account_id as "accountId", waiting.delivery_id as id,
    waiting.webhook_id as "webhookId", delivery.event_id as "eventId", delivery.event_type as "eventType", event.body, webhook.url,
    webhook.secret, webhook.previous_secret as "previousSecret", webhook.previous_secret_until as "previousSecretUntil",
    webhook_lane.failing_since as "failingSince"
  from unnest($1::uuid[], $2::uuid[], $3::integer[]) as turn (account_id, webhook_id, wanted)
  join webhook on webhook.account_id = turn.account_id and webhook.id = turn.webhook_id and webhook.enabled
  join webhook_lane on webhook_lane.account_id = turn.account_id and webhook_lane.webhook_id = turn.webhook_id
  cross join lateral (
    select account_id, delivery_id, id, webhook_id, paced
    from delivery_retry
    where delivery_retry.account_id = turn.account_id and delivery_retry.webhook_id = turn.webhook_id
      and paced = $4 and id <> all ($5::uuid[])
    order by id
    limit turn.wanted
  ) as waiting
  left join lateral (
    select event_id, event_type from delivery
    where delivery.account_id = waiting.account_id and delivery.id = waiting.delivery_id
    limit 1
  ) as delivery on true
  left join lateral (
    select body from event where event.account_id = waiting.account_id and event.id = delivery.event_id
    limit 1
  ) as event on true
  order by waiting.id`,
)

/**
 * Up to `wanted` waiting retries of each enabled webhook, oldest first, without those under way; `gone` are those whose event is no longer
 * kept. Takes no lock: who runs one twice records it once.
 */
export async function takeRetries(
  queries: Queries,
  input: { turns: readonly (LaneKey & { wanted: number })[]; paced: boolean; underWay: Iterable<Uuid> },
): Promise<{ retries: WaitingRetry[]; gone: RetryKey[] }> {
  const { turns, paced, underWay } = input
  const rows = await queries.run<RetryRow>(takeRetriesOf, [
    turns.map((each) => each.accountId),
    turns.map((each) => each.webhookId),
    turns.map((each) => each.wanted),
    paced,
    [...underWay],
  ])
  return {
    retries: rows.flatMap((row) => (row.body === null ? [] : [{ ...row, body: row.body }])),
    gone: rows.flatMap((row) => (row.body === null ? [{ accountId: row.accountId, deliveryId: row.id }] : [])),
  }
}

export type RetryKey = { accountId: Uuid; deliveryId: Uuid }

const dropRetriesOf = statement(
  'drop_delivery_retries',
  `delete from delivery_retry
  using unnest($1::uuid[], $2::uuid[]) as item (account_id, delivery_id)
  where delivery_retry.account_id = item.account_id and delivery_retry.delivery_id = item.delivery_id`,
)

/** Removes retries that can never be made. */
export async function dropRetries(queries: Queries, retries: readonly RetryKey[]): Promise<void> {
  await queries.run(dropRetriesOf, [retries.map((each) => each.accountId), retries.map((each) => each.deliveryId)])
}

const dropRetriesOfLaneOf = statement(
  'drop_delivery_retries_of_webhook',
  `delete from delivery_retry
  where account_id = $1 and delivery_id in (
    select delivery_id from delivery_retry
    where account_id = $1 and webhook_id = $2 and id < $3
    limit $4)
  returning 1`,
)

/** Removes up to `limit` waiting retries of a webhook that were asked for before `below`, and answers how many. */
export async function dropRetriesOfLane(tx: Tx, lane: LaneKey, input: { below: Uuid; limit: number }): Promise<number> {
  return (await tx.run(dropRetriesOfLaneOf, [lane.accountId, lane.webhookId, input.below, input.limit])).length
}

/** What came of a retry. */
export type RetryAttempt = {
  accountId: Uuid
  deliveryId: Uuid
  webhookId: Uuid
  retryId: Uuid
  received: boolean
  startedAt: Date
  durationMs: number
  statusCode: number | null
  error: string | null
  responseHead: string
}

const recordRetriesOf = statement(
  'record_delivery_retries',
  // rule: delivery 13. Who removes the waiting row records the attempt: repeated, or by a second owner, it changes nothing. An automatic attempt of
  // the same delivery may be recorded at the same moment: the delivery's row lock puts the two in order, and each takes its own number. The
  // ladder (attempt, next_at) is touched by a success alone. For the bounds see record_delivery_attempts.
  `with result as (
    select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::boolean[], $5::timestamptz[], $6::integer[], $7::smallint[], $8::text[],
      $9::text[])
      as item (account_id, delivery_id, id, received, started_at, ms, status_code, error, response_head)
    where delivery_id between $10 and $11
  ), done as (
    delete from delivery_retry
    using result
    where delivery_retry.account_id = result.account_id and delivery_retry.delivery_id = result.delivery_id
      and delivery_retry.id = result.id
    returning result.*
  ), moved as (
    update delivery set
      attempts = delivery.attempts + 1,
      status = case when done.received then 'succeeded' else delivery.status end,
      next_at = case when done.received then null else delivery.next_at end
    from done
    where delivery.account_id = done.account_id and delivery.id = done.delivery_id and delivery.id between $10 and $11
    returning delivery.account_id, delivery.id, delivery.attempts, done.started_at, done.ms, done.status_code, done.error,
      done.response_head
  )
  insert into delivery_attempt (account_id, delivery_id, n, manual, started_at, ms, status_code, error, response_head)
  select account_id, id, attempts, true, started_at, ms, status_code, error, response_head
  from moved`,
)

/** Writes the history of retries and removes them from the queue. Locks the deliveries in no order: use `repeatable`. May be done twice. */
export async function recordRetries(tx: Tx, rows: readonly RetryAttempt[]): Promise<void> {
  const ids = rows.map((each) => each.deliveryId).sort()
  await tx.run(recordRetriesOf, [
    rows.map((each) => each.accountId),
    rows.map((each) => each.deliveryId),
    rows.map((each) => each.retryId),
    rows.map((each) => each.received),
    rows.map((each) => each.startedAt),
    rows.map((each) => each.durationMs),
    rows.map((each) => each.statusCode),
    rows.map((each) => each.error),
    rows.map((each) => each.responseHead),
    ids[0],
    ids.at(-1),
  ])
}
