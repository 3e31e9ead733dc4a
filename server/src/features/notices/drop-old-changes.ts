import type { Clock } from '../../base/clock.ts'
import { limits } from '../../limits.ts'
import type { Queries } from '../../platform/database/database.ts'
import { dropChanges } from './change-store.ts'

const dayMs = 86_400_000
/** Upstream repeats a notice for a week at most. */
const repeatedDays = 8

/** Forgets which changes were taken in once nobody can bring them again: upstream, or a replay of what we keep for `keptDays`. */
export function dropOldChanges(queries: Queries, clock: Clock, keptDays: number): Promise<boolean> {
  const days = Math.max(limits.changeRememberedDays, keptDays + repeatedDays)
  return dropChanges(queries, clock, new Date(clock.now().getTime() - days * dayMs))
}
