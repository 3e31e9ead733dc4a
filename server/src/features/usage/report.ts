import { brasiliaDay, type Day, daysOf, type Month, monthOf } from '../../base/brasilia.ts'
import type { Clock } from '../../base/clock.ts'
import type { Uuid } from '../../base/id.ts'
import { because, invalidField, type Refusal } from '../../base/refusal.ts'
import { ok, type Result, refused } from '../../base/result.ts'
import type { Queries } from '../../platform/database/database.ts'
import { franchiseOf } from '../accounts/public.ts'
import { readUsage } from './store.ts'
import type { UsageSum } from './usage.ts'
import { figuresOf, teamUsageJson, type UsageJson, usageJson } from './wire.ts'

type Deps = { database: Queries; clock: Clock }

/**
 * What an account used in a month, in this one where `month` is null. The figures are those of this moment: a past month still follows what
 * is learnt of its messages (rule: usage 6). An invoice, once there are any, keeps a copy of its month, and that is what is shown then.
 */
export async function reportUsage(deps: Deps, accountId: Uuid, month: Month | null): Promise<Result<UsageJson, Refusal>> {
  const [franchise, read] = await Promise.all([franchiseOf(deps.database, accountId), sumsOf(deps, accountId, month)])
  return read.ok ? ok(usageJson(read.value.sums, { ...read.value, franchise })) : read
}

/** The same of what the team sent. */
export async function reportTeamUsage(deps: Deps, accountId: Uuid, month: Month | null): Promise<Result<TeamUsageJson, Refusal>> {
  const read = await sumsOf(deps, accountId, month)
  return read.ok ? ok(teamUsageJson(read.value.sums, read.value)) : read
}

async function sumsOf(deps: Deps, accountId: Uuid, asked: Month | null): Promise<Result<MonthRead, Refusal>> {
  const today = brasiliaDay(deps.clock.now())
  const month = asked ?? monthOf(today)
  if (month > monthOf(today)) return refused(invalidField('month', because('month_ahead', 'This month has not begun.')))
  const days = daysOf(month)
  return ok({ month, today, sums: await readUsage(deps.database, accountId, { first: days[0] ?? today, last: days.at(-1) ?? today }) })
}

type MonthRead = { month: Month; today: Day; sums: UsageSum[] }
type TeamUsageJson = ReturnType<typeof teamUsageJson>

/** The same figures of the day that it is now. */
export async function figuresOfToday(deps: Deps, accountId: Uuid): Promise<{ day: Day } & ReturnType<typeof figuresOf>> {
  const day = brasiliaDay(deps.clock.now())
  return { day, ...figuresOf(await readUsage(deps.database, accountId, { first: day, last: day })) }
}
