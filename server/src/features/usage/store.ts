import type { Day, Month } from '../../base/brasilia.ts'
import type { Uuid } from '../../base/id.ts'
import type { Queries, Tx } from '../../platform/database/database.ts'
import { statement } from '../../platform/database/statement.ts'
import type { UsageChange, UsageSum } from './usage.ts'

const add = statement(
  'add_usage',
  // In the order of the key, so that two transactions never wait for each other in a ring.
  `insert into usage (account_id, day, kind, detail, part, amount, words)
  select account_id, day, kind, detail, $7, amount, words
  from unnest($1::uuid[], $2::date[], $3::text[], $4::text[], $5::integer[], $6::text[]) as change (account_id, day, kind, detail, amount, words)
  order by account_id, day, kind, detail
  on conflict (account_id, day, kind, detail, part) do update
    set amount = usage.amount + excluded.amount, words = coalesce(excluded.words, usage.words)`,
)

/** Adds to counters, each named once, in the rows that have this part. */
export async function addUsage(tx: Tx, changes: readonly UsageChange[], part: number): Promise<void> {
  await tx.run(add, [
    changes.map((each) => each.accountId),
    changes.map((each) => each.day),
    changes.map((each) => each.kind),
    changes.map((each) => each.detail),
    changes.map((each) => each.by),
    changes.map((each) => each.words),
    part,
  ])
}

const read = statement(
  'read_usage',
  // In the order of the key, so that 10,000 rows are summed as they come (6 ms); summing over the days here too sorts them first (17 ms).
  `select day::text as day, kind, detail, sum(amount)::bigint as amount, max(words) as words
  from usage
  where account_id = $1 and day between $2 and $3
  group by usage.day, kind, detail
  having sum(amount) <> 0
  order by usage.day, kind, detail`,
)

/** What each counter of one account says, from the first to the last of these days and in their order; one that says nothing is left out. */
export async function readUsage(queries: Queries, accountId: Uuid, { first, last }: { first: Day; last: Day }): Promise<UsageSum[]> {
  return queries.run<UsageSum>(read, [accountId, first, last])
}

const readMonths = statement(
  'read_usage_months',
  // A loose index scan: one probe of the key for each month, however many days and counters it has.
  `with recursive month as (
    (select date_trunc('month', day::timestamp)::date as first from usage where account_id = $1 order by day desc limit 1)
    union all
    select next.first from month, lateral (
      select date_trunc('month', day::timestamp)::date as first from usage
      where account_id = $1 and day < month.first
      order by day desc limit 1) as next
  )
  select to_char(first, 'YYYY-MM') as month from month limit 600`,
)

/** The months of which an account has any figure, newest first. */
export async function listUsageMonths(queries: Queries, accountId: Uuid): Promise<Month[]> {
  return (await queries.run<{ month: Month }>(readMonths, [accountId])).map((row) => row.month)
}

const fold = statement(
  'fold_usage',
  // Rows that a transaction adds to just now are left for the next time, so that this never waits for one; and row 0 is locked by nobody else.
  `with old as (
    delete from usage where (account_id, day, kind, detail, part) in (
      select account_id, day, kind, detail, part from usage where part > 0 and day < $1 order by day limit $2 for update skip locked)
    returning account_id, day, kind, detail, amount, words
  ), folded as (
    insert into usage (account_id, day, kind, detail, part, amount, words)
    select account_id, day, kind, detail, 0, sum(amount)::integer, (array_agg(words) filter (where words is not null))[1]
    from old
    group by account_id, day, kind, detail
    order by account_id, day, kind, detail
    on conflict (account_id, day, kind, detail, part) do update
      set amount = usage.amount + excluded.amount, words = coalesce(excluded.words, usage.words)
  )
  select count(*)::integer as folded from old`,
)

/** Makes one row of those of each counter, for days before this one; answers how many there were, at most `most`. */
export async function foldUsage(queries: Queries, before: Day, most: number): Promise<number> {
  const rows = await queries.run<{ folded: number }>(fold, [before, most])
  return rows[0]?.folded ?? 0
}
