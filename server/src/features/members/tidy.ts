import type { Database } from '../../platform/database/database.ts'
import { removeExpiredInvitations } from './invitation-store.ts'
import { removeExpiredLinks } from './link-store.ts'
import { removeExpired } from './user-store.ts'

/** Removes sessions, links, challenges and invitations that have expired: they were worth nothing already. */
export async function dropExpiredSignIns(database: Database, now: Date): Promise<void> {
  await removeExpired(database, now)
  await removeExpiredLinks(database, now)
  await removeExpiredInvitations(database, now)
}
