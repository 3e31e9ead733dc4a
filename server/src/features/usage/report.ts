import { brasiliaDay, type Day, daysOf, type Month, monthOf } from '../../base/brasilia.ts'
import type { Clock } from '../../base/clock.ts'
import type { Uuid } from '../../base/id.ts'
import { invalidField, type Refusal } from '../../base/refusal.ts'
import { ok, type Result, refused } from '../../base/result.ts'
import type { Queries } from '../../platform/database/database.ts'
import { franchiseOf } from '../accounts/public.ts'
import { readUsage } from './store.ts'
import { figuresOf, type UsageJson, usageJson } from './wire.ts'

type Deps = { database: Queries; clock: Clock }

/**
 * What an account used in a month, in this one where `month` is null. The figures are those of this moment: a past month still follows what
 * is learnt of its messages (rule: usage 6). An invoice, once there are any, keeps a copy of its month, and that is what is shown then.
 */
export async function reportUsage(deps: Deps, accountId: Uuid, month: Month | null): Promise<Result<UsageJson, Refusal>> {
  const today = brasiliaDay(deps.clock.now())
  const shown = month ?? monthOf(today)
  if (shown > monthOf(today)) return refused(invalidField('month', 'This month has not begun.'))
  const days = daysOf(shown)
  const [franchise, sums] = await Promise.all([
    franchiseOf(deps.database, accountId),
    readUsage(deps.database, accountId, { first: days[0] ?? today, last: days.at(-1) ?? today }),
  ])
  return ok(usageJson(sums, { month: shown, today, franchise }))
}

/** The same figures of the day that it is now. */
export async function figuresOfToday(deps: Deps, accountId: Uuid): Promise<{ day: Day } & ReturnType<typeof figuresOf>> {
  const day = brasiliaDay(deps.clock.now())
  return { day, ...figuresOf(await readUsage(deps.database, accountId, { first: day, last: day })) }
}
