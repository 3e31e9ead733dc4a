import type { Clock } from '../base/clock.ts'
import { noticeDepth } from '../features/notices/public.ts'
import type { Database } from '../platform/database/database.ts'
import { type Check, fine, problem } from './check.ts'

/** Notices are worked through within a moment; older than this they are stuck. */
const lateSecondsMax = 60

/** How far behind notices are, and whether something lies set aside. */
export async function checkNotices(database: Database, clock: Clock): Promise<Check> {
  const { waiting, oldestSeconds, replaying, setAside } = await noticeDepth(database, clock.now())
  if (oldestSeconds !== null && oldestSeconds > lateSecondsMax)
    return problem(
      'notices',
      `${waiting} wait, the oldest for ${Math.round(oldestSeconds)} s.`,
      'Start the gateway, or look into its log for lane.tick_failed of the lane notices.',
    )
  if (setAside > 0)
    return problem(
      'notices',
      `${setAside} items could not be worked through and lie set aside.`,
      'See notices list, and docs/operations.md for what each reason means.',
    )
  return fine('notices', `Nothing lies set aside; ${waiting} wait${replaying > 0 ? `, ${replaying} to be replayed` : ''}.`)
}
