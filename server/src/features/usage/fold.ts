import { brasiliaDay } from '../../base/brasilia.ts'
import type { Clock } from '../../base/clock.ts'
import { biteRows, inBites } from '../../platform/database/bites.ts'
import type { Database } from '../../platform/database/database.ts'
import { foldUsage } from './store.ts'

type Deps = { database: Database; clock: Clock }

/** Statuses of a message come within hours, nearly all: later ones open a new row, which is folded the next time. */
const openMs = 2 * 86_400_000
const foldMsMax = 10_000

/**
 * Makes one row of those of each counter, for days that are nearly settled. Every process may do it, at any time; a counter's sum stays what
 * it is. Returns true where more is left after 10 s.
 */
export function foldPastUsage({ database, clock }: Deps): Promise<boolean> {
  const before = brasiliaDay(new Date(clock.now().getTime() - openMs))
  return inBites(clock, foldMsMax, () => foldUsage(database, before, biteRows))
}
