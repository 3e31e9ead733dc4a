import { present } from '../../server/src/base/assert.ts'
import { brasiliaDay, daysOf, type Month, monthOf, parseMonth } from '../../server/src/base/brasilia.ts'
import type { Uuid } from '../../server/src/base/id.ts'
import { foldPastUsage } from '../../server/src/features/usage/public.ts'
import { type Benchmark, type Effort, type Figure, judged, shown } from '../benchmark.ts'
import { makeBusinesses } from '../stage/businesses.ts'
import { openStage, type Stage } from '../stage/stage.ts'
import { timedGets } from '../stage/timed-gets.ts'
import { percentile } from '../statistics.ts'

const sendsPerMonth = 1_000_000
const months = 12
const codes = 30

/** P11: an account with 1,000,000 sends in each of twelve months asks for one of them. */
export const monthlyUsage: Benchmark = {
  name: 'P11',
  title: 'usage of a month with 1,000,000 sends',
  minutes: 1,
  async run({ runs, quick }: Effort): Promise<readonly Figure[]> {
    const stage = await openStage()
    const [business] = await makeBusinesses(stage, { accounts: 1, numbersEach: 0, peopleEach: 0 })
    const { accountId, key } = present(business, 'one was made')
    const asked = lastMonths(stage.deps.clock.now(), months)
    for (const month of asked) await writeMonth(stage, accountId, month)
    await stage.sql('vacuum analyze usage')
    const paths = asked.map((month) => `/v1/usage?month=${month}`)
    const measure = async () => (await timedGets(stage.gateway.url, key, { paths, count: quick ? 50 : 600 })).slice(20)
    // As a busy account leaves them until the gateway folds them.
    const fresh: number[][] = []
    for (let run = 0; run < runs; run += 1) fresh.push(await measure())
    const [rows] = await stage.sql<{ count: number }>('select count(*)::integer as count from usage')
    while (await foldPastUsage(stage.deps));
    const folded: number[][] = []
    for (let run = 0; run < runs; run += 1) folded.push(await measure())
    await stage.close()
    const p = (share: number, all: readonly number[][]) => all.map((each) => percentile(each, share))
    return [
      judged('a month, p99', 'ms', p(0.99, fresh), { atMost: 20 }),
      shown('a month, p50', 'ms', p(0.5, fresh)),
      shown('a month that was folded, p99', 'ms', p(0.99, folded)),
      shown('a month that was folded, p50', 'ms', p(0.5, folded)),
      shown('rows of a month before it is folded', '', [(rows?.count ?? 0) / months]),
    ]
  },
}

/** The last `count` months that are over. */
function lastMonths(now: Date, count: number): Month[] {
  const [year = 0, number = 0] = monthOf(brasiliaDay(now)).split('-').map(Number)
  return Array.from({ length: count }, (_each, i) =>
    present(parseMonth(new Date(Date.UTC(year, number - 2 - i, 1)).toISOString().slice(0, 7)), 'a month'),
  )
}

// All counters that there can be, on every day, in all of their parts.
const write = `with day as (
    select unnest($2::date[]) as day
  ), counter (kind, detail, share) as (
    values ('accepted', '', 1.0), ('sent', '', 0.08), ('delivered', '', 0.3), ('read', '', 0.6), ('failed', '', 0.02), ('received', '', 0.4),
      ('counted', '', 0.98), ('billable', 'marketing', 0.5), ('billable', 'utility', 0.2), ('billable', 'authentication', 0.1),
      ('free', 'service', 0.1), ('free', 'utility', 0.05)
    union all select 'error', (131000 + n)::text, 0.02 / $4 from generate_series(1, $4::integer) as n
  )
  insert into usage (account_id, day, kind, detail, part, amount, words)
  select $1, day, kind, detail, part, ceil($3 * share / 8 / (select count(*) from day)), case when kind = 'error' then 'Message undeliverable' end
  from day, counter, generate_series(1, 8) as part
  order by part, day`

async function writeMonth(stage: Stage, accountId: Uuid, month: Month): Promise<void> {
  await stage.sql(write, [accountId, daysOf(month), sendsPerMonth, codes])
}
