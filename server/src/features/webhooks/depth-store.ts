import type { Uuid } from '../../base/id.ts'
import type { Queries } from '../../platform/database/database.ts'
import { statement } from '../../platform/database/statement.ts'

export type DeliveryDepth = { dueWebhooks: number; failingWebhooks: number; lateSeconds: number | null }

const readDepth = statement(
  'read_delivery_depth',
  // Read off the lanes, never off the deliveries: a dead webhook may have a million of them.
  `select count(*) filter (where earliest_due <= $1)::integer as "dueWebhooks", count(failing_since)::integer as "failingWebhooks",
    extract(epoch from $1::timestamptz - min(earliest_due) filter (where earliest_due <= $1))::float8 as "lateSeconds"
  from (select earliest_due, failing_since from webhook_lane limit 100000) as looked_at`,
)

/** How many webhooks have something due, over all accounts, and for how long the most overdue has. */
export async function deliveryDepth(queries: Queries, now: Date): Promise<DeliveryDepth> {
  const [row] = await queries.run<DeliveryDepth>(readDepth, [now])
  return row ?? { dueWebhooks: 0, failingWebhooks: 0, lateSeconds: null }
}

/** A webhook that is enabled and did not take what was last posted to it. */
export type FailingWebhook = { accountId: Uuid; webhookId: Uuid; failingSince: Date }

const failing = `select lane.account_id as "accountId", lane.webhook_id as "webhookId", lane.failing_since as "failingSince"
  from webhook_lane lane
  join webhook on webhook.account_id = lane.account_id and webhook.id = lane.webhook_id and webhook.enabled`

const findFailing = statement('find_failing_webhooks', `${failing} where lane.failing_since <= $1 limit $2`)

/** Those of all accounts that fail since `before` or longer, at most `most`, in no order. */
export async function failingWebhooks(queries: Queries, before: Date, most: number): Promise<FailingWebhook[]> {
  return queries.run<FailingWebhook>(findFailing, [before, most])
}

const findFailingOf = statement(
  'find_failing_webhooks_of_account',
  `${failing} where lane.account_id = $1 and lane.failing_since is not null limit 100`,
)

/** Those of one account. */
export async function failingWebhooksOf(queries: Queries, accountId: Uuid): Promise<FailingWebhook[]> {
  return queries.run<FailingWebhook>(findFailingOf, [accountId])
}
