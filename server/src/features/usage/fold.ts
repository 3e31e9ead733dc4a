import { brasiliaDay } from '../../base/brasilia.ts'
import type { Clock } from '../../base/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import { foldUsage } from './store.ts'

type Deps = { database: Database; clock: Clock }

/** Statuses of a message come within hours, nearly all: later ones open a new row, which is folded the next time. */
const openMs = 2 * 86_400_000
/** A bounded bite: the task comes again. */
const rowsMax = 5_000

/** Makes one row of those of each counter, for days that are nearly settled. Every process may do it, at any time; a counter's sum stays what it is. */
export async function foldPastUsage({ database, clock }: Deps): Promise<number> {
  return foldUsage(database, brasiliaDay(new Date(clock.now().getTime() - openMs)), rowsMax)
}
