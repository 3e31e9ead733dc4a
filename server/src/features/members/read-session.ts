import type { IncomingHttpHeaders } from 'node:http'
import type { Clock } from '../../base/clock.ts'
import type { Uuid } from '../../base/id.ts'
import type { SecretKey } from '../../base/seal.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import type { Person } from '../../platform/http/caller.ts'
import { mayWork, scopesOf } from './rules.ts'
import { authSecretOf, sessionCookieName, sessionTokenIn } from './session-cookie.ts'
import { findRole, holdMember } from './store.ts'
import { findSession } from './user-store.ts'

type Deps = { database: Database; clock: Clock; secretKey: SecretKey; publicUrl: string }

/** Says who sends these cookies; null when nobody has signed in with them, or no longer. One look-up, and none without a cookie of ours. */
export type ReadSession = (headers: IncomingHttpHeaders) => Promise<Person | null>

export function createSessionReader({ database, clock, secretKey, publicUrl }: Deps): ReadSession {
  const name = sessionCookieName(publicUrl)
  const secret = authSecretOf(secretKey)
  return async ({ cookie }) => {
    const token = cookie === undefined ? null : sessionTokenIn(cookie, name, secret)
    const session = token === null ? null : await findSession(database, token, clock.now())
    return session === null ? null : { userId: session.userId, sessionId: session.id }
  }
}

/** What somebody may do in an account; null: they do not belong to it. Never remembered, so that a change holds at the very next call. */
export async function membershipOf(
  database: Database,
  userId: Uuid,
  accountId: Uuid,
): Promise<{ scopes: readonly string[] | null } | null> {
  const role = await findRole(database, accountId, userId)
  return role === null ? null : { scopes: scopesOf(role) }
}

/** Whether somebody may work on conversations of the account; their membership stays as it is until commit. */
export async function holdWorker(tx: Tx, accountId: Uuid, userId: Uuid): Promise<boolean> {
  const role = await holdMember(tx, accountId, userId)
  return role !== null && mayWork(role)
}
