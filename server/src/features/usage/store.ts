import type { Day } from '../../base/brasilia.ts'
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
  `select kind, detail, shown as day, sum(amount)::bigint as amount, (array_agg(words order by day desc) filter (where words is not null))[1] as words
  from (
    select kind, detail, case when kind in ('counted', 'error') then day::text end as shown, day, amount, words from usage
    where account_id = $1 and day between $2 and $3
  ) as counter
  group by kind, detail, shown
  having sum(amount) <> 0
  order by kind, detail, shown`,
)

/** What one account used from the first to the last of these days. */
export async function readUsage(queries: Queries, accountId: Uuid, { first, last }: { first: Day; last: Day }): Promise<UsageSum[]> {
  return queries.run<UsageSum>(read, [accountId, first, last])
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
