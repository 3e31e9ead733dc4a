import type { Uuid } from '../../src/base/id.ts'
import type { Queries } from '../../src/platform/database/database.ts'

/** A counter whose sum is not what the messages say. */
export type UsageDifference = { accountId: string; day: string; kind: string; detail: string; counted: number; found: number }

const day = (moment: string) => `(${moment} at time zone 'America/Sao_Paulo')::date`

/**
 * Counts messages anew, by PostgreSQL's own calendar and none of the product's code, and answers where the counters say something else.
 * `whose` is a condition on `account_id`.
 */
export const usageDifferencesSql = (whose: string): string => `with counts as (
    select account_id, direction, status, pricing_billable, coalesce(pricing_category, 'unknown') as category,
      coalesce(error_code::text, left(error_message, 200)) as error,
      ${day('uuid_extract_timestamp(id)')} as created_day, ${day('sent_at')} as sent_day, ${day('failed_at')} as failed_day
      , case when source = 'api' then '' else 'team_' end as whose
    from message where ${whose} and livemode
  ), found as (
    select account_id, created_day as day, 'received' as kind, '' as detail from counts where direction = 'inbound'
    union all select account_id, created_day, whose || 'accepted', '' from counts where direction = 'outbound'
    union all select account_id, created_day, whose || status, '' from counts where direction = 'outbound' and status <> 'queued'
    union all select account_id, sent_day, whose || 'counted', '' from counts where sent_day is not null and status <> 'failed'
    union all select account_id, sent_day, whose || case when pricing_billable then 'billable' else 'free' end, category from counts
      where sent_day is not null and status <> 'failed' and pricing_billable is not null
    union all select account_id, failed_day, whose || 'error', error from counts where status = 'failed' and failed_day is not null
  ), found_sums as (
    select account_id, day, kind, detail, count(*)::integer as amount from found group by account_id, day, kind, detail
  ), counted_sums as (
    select account_id, day, kind, detail, sum(amount)::integer as amount from usage where ${whose} group by account_id, day, kind, detail
  )
  select account_id as "accountId", day::text, kind, detail, coalesce(counted_sums.amount, 0) as counted, coalesce(found_sums.amount, 0) as found
  from counted_sums full join found_sums using (account_id, day, kind, detail)
  where coalesce(counted_sums.amount, 0) <> coalesce(found_sums.amount, 0)
  order by 1, 2, 3, 4`

/** None: every counter of the account is right at this moment. */
export async function findUsageDifferences(queries: Queries, accountId: Uuid): Promise<UsageDifference[]> {
  return queries.all({ compile: () => ({ sql: usageDifferencesSql('account_id = $1'), parameters: [accountId] }) as never })
}
