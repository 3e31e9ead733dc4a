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
  `update webhook_lane set earliest_due = coalesce((
    select next_at from delivery
    where delivery.account_id = webhook_lane.account_id and delivery.webhook_id = webhook_lane.webhook_id and status = 'pending'
    order by next_at
    limit 1), 'infinity')
  from unnest($1::uuid[], $2::uuid[]) as turn (account_id, webhook_id)
  where webhook_lane.account_id = turn.account_id and webhook_lane.webhook_id = turn.webhook_id
  returning webhook_lane.webhook_id as "webhookId", nullif(earliest_due, 'infinity') as "dueAt"`,
)

/** Sets lanes that are locked already to their earliest pending delivery, and answers it; null where nothing is pending. */
export async function raiseLanes(tx: Tx, lanes: readonly LaneKey[]): Promise<Map<string, Date | null>> {
  const rows = await tx.run<{ webhookId: string; dueAt: Date | null }>(raise, keys(lanes))
  return new Map(rows.map((row) => [row.webhookId, row.dueAt]))
}

const postpone = statement(
  'postpone_webhook_lane',
  `update webhook_lane set earliest_due = case when exists (
    select from delivery where delivery.account_id = $1 and delivery.webhook_id = $2 and status = 'pending') then $3::timestamptz else 'infinity' end
  where account_id = $1 and webhook_id = $2
  returning nullif(earliest_due, 'infinity') as "dueAt"`,
)

/** Puts off a locked lane with anything pending until `until`, whatever is due before, and answers when it is due; null: nothing is pending. */
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

const keys = (lanes: readonly LaneKey[]) => [lanes.map((each) => each.accountId), lanes.map((each) => each.webhookId)]
