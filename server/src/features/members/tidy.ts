import type { Clock } from '../../base/clock.ts'
import { biteRows, inBites } from '../../platform/database/bites.ts'
import type { Database } from '../../platform/database/database.ts'
import { removeExpiredInvitations } from './invitation-store.ts'
import { removeExpiredLinks } from './link-store.ts'
import { removeExpiredChallenges, removeExpiredSessions } from './user-store.ts'

/** Removes sessions, links, challenges and invitations that have expired: they were worth nothing already. True: more are left. */
export async function dropExpiredSignIns(database: Database, clock: Clock): Promise<boolean> {
  const now = clock.now()
  const left = [
    await inBites(clock, dropMsMax, () => removeExpiredSessions(database, now, biteRows)),
    await inBites(clock, dropMsMax, () => removeExpiredChallenges(database, now, biteRows)),
    await inBites(clock, dropMsMax, () => removeExpiredLinks(database, now, biteRows)),
    await inBites(clock, dropMsMax, () => removeExpiredInvitations(database, now, biteRows)),
  ]
  return left.includes(true)
}

const dropMsMax = 5_000
