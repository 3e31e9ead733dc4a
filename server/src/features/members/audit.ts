import type { Clock } from '../../base/clock.ts'
import { newUuid } from '../../base/id.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Action } from '../../platform/http/console-admission.ts'
import { insertAuditEntry } from './audit-store.ts'

/** Keeps what somebody has done in an account. */
export async function logAction({ database, clock }: { database: Database; clock: Clock }, action: Action): Promise<void> {
  await insertAuditEntry(database, { ...action, id: newUuid(clock.now()) })
}
