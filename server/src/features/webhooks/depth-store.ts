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
