import type { Uuid } from '../../base/id.ts'
import { limits } from '../../limits.ts'
import type { Queries, Tx } from '../../platform/database/database.ts'
import { statement } from '../../platform/database/statement.ts'
import type { LaneKey } from './delivery-store.ts'

const lock = statement(
  'lock_webhook_lanes',
  `select webhook_id from webhook_lane
  where (account_id, webhook_id) in (select * from unnest($1::uuid[], $2::uuid[]))
  order by account_id, webhook_id
  for update`,
)

/** Locks the rows of lanes in the order of their keys. Whatever raises `earliest_due` does this first, in a statement of its own. */
export async function lockLanes(tx: Tx, lanes: readonly LaneKey[]): Promise<void> {
  await tx.run(lock, keys(lanes))
}

const findStates = statement(
  'find_webhook_states',
  `select turn.webhook_id as "webhookId", webhook.enabled
  from unnest($1::uuid[], $2::uuid[]) as turn (account_id, webhook_id)
  left join webhook on webhook.account_id = turn.account_id and webhook.id = turn.webhook_id`,
)

/** Whether the webhooks of these lanes are enabled; null is a webhook that was removed. */
export async function findWebhookStates(queries: Queries, lanes: readonly LaneKey[]): Promise<Map<string, boolean | null>> {
  const rows = await queries.run<{ webhookId: string; enabled: boolean | null }>(findStates, keys(lanes))
  return new Map(rows.map((row) => [row.webhookId, row.enabled]))
}

const raise = statement(
  'raise_webhook_lanes',
  // A retry is due as long as it waits.
  `with state as (
    select turn.account_id, turn.webhook_id, (
      select next_at from delivery
      where delivery.account_id = turn.account_id and delivery.webhook_id = turn.webhook_id and status = 'pending'
      order by next_at
      limit 1) as due_at,
      exists (
        select from delivery_retry
        where delivery_retry.account_id = turn.account_id and delivery_retry.webhook_id = turn.webhook_id) as has_retries
    from unnest($1::uuid[], $2::uuid[]) as turn (account_id, webhook_id)
  )
  update webhook_lane set
    earliest_due = case when state.has_retries then '-infinity' else coalesce(state.due_at, 'infinity') end,
    has_retries = state.has_retries
  from state
  where webhook_lane.account_id = state.account_id and webhook_lane.webhook_id = state.webhook_id
  returning webhook_lane.webhook_id as "webhookId", state.due_at as "dueAt", state.has_retries as "hasRetries"`,
)

/** What waits in a lane: when the earliest pending delivery is due, null for none, and whether retries wait too. */
export type LaneState = { dueAt: Date | null; hasRetries: boolean }

/** Sets lanes that are locked already to what waits in them, and answers it. */
export async function raiseLanes(tx: Tx, lanes: readonly LaneKey[]): Promise<Map<string, LaneState>> {
  const rows = await tx.run<LaneState & { webhookId: string }>(raise, keys(lanes))
  return new Map(rows.map(({ webhookId, dueAt, hasRetries }) => [webhookId, { dueAt, hasRetries }]))
}

const postpone = statement(
  'postpone_webhook_lane',
  `update webhook_lane set earliest_due = case when exists (
    select from delivery where delivery.account_id = $1 and delivery.webhook_id = $2 and status = 'pending')
    or exists (select from delivery_retry where delivery_retry.account_id = $1 and delivery_retry.webhook_id = $2)
    then $3::timestamptz else 'infinity' end
  where account_id = $1 and webhook_id = $2
  returning nullif(earliest_due, 'infinity') as "dueAt"`,
)

/** Puts off a locked lane in which anything waits until `until`, whatever is due before, and answers when it is due; null: nothing waits. */
export async function postponeLane(tx: Tx, lane: LaneKey, until: Date): Promise<Date | null> {
  const rows = await tx.run<{ dueAt: Date | null }>(postpone, [lane.accountId, lane.webhookId, until])
  return rows[0]?.dueAt ?? null
}

const removeRow = statement('delete_webhook_lane', 'delete from webhook_lane where account_id = $1 and webhook_id = $2')

/** Deletes a locked lane. */
export async function deleteLane(tx: Tx, lane: LaneKey): Promise<void> {
  await tx.run(removeRow, [lane.accountId, lane.webhookId])
}

const setFailing = statement(
  'set_lanes_failing_since',
  `with locked as (
    select webhook_lane.account_id, webhook_lane.webhook_id, item.failing_since
    from unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) as item (account_id, webhook_id, failing_since)
    join webhook_lane on webhook_lane.account_id = item.account_id and webhook_lane.webhook_id = item.webhook_id
    order by webhook_lane.account_id, webhook_lane.webhook_id
    for update of webhook_lane
  )
  update webhook_lane set failing_since = locked.failing_since
  from locked
  where webhook_lane.account_id = locked.account_id and webhook_lane.webhook_id = locked.webhook_id`,
)

/** Notes since when webhooks fail; null: they answer. Locks their lanes in the order of their keys: the last statement of a transaction. */
export async function setFailingSince(tx: Tx, lanes: readonly (LaneKey & { failingSince: Date | null })[]): Promise<void> {
  await tx.run(setFailing, [...keys(lanes), lanes.map((each) => each.failingSince)])
}

const failing = statement(
  'list_failing_webhooks',
  `select webhook_id as "webhookId", failing_since as "failingSince" from webhook_lane
  where account_id = $1 and failing_since is not null
  order by webhook_id
  limit $2`,
)

/** The account's webhooks whose last attempt failed, and since when they do. */
export function listFailing(queries: Queries, accountId: Uuid): Promise<{ webhookId: Uuid; failingSince: Date }[]> {
  return queries.run(failing, [accountId, limits.webhooksMax])
}

const keys = (lanes: readonly LaneKey[]) => [lanes.map((each) => each.accountId), lanes.map((each) => each.webhookId)]
