import type { Clock } from '../../base/clock.ts'
import type { Uuid } from '../../base/id.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import type { Reads } from '../../platform/database/reads.ts'
import type { Attempts } from '../../platform/http/attempts.ts'
import type { SendMail } from '../../platform/mail/mail.ts'
import type { Devices } from './devices.ts'
import type { Errands } from './errands.ts'
import type { AuthLoader } from './load-auth.ts'
import type { ReadSession } from './read-session.ts'

/**
 * Frees some of what is assigned to somebody who leaves, in the transaction in which they leave. Returns whether more may be left. What it
 * frees is of later features, which hand it in.
 */
export type ReleaseWork = (tx: Tx, of: { accountId: Uuid; userId: Uuid; now: Date }) => Promise<boolean>

/** What the operations on people and accounts work with. */
export type MembersDeps = {
  database: Database
  reads: Reads
  clock: Clock
  auth: AuthLoader['auth']
  readSession: ReadSession
  attempts: Attempts
  devices: Devices
  sendMail: SendMail
  /** Whether mail can be sent at all. */
  hasMail: boolean
  errands: Errands
  releaseWork: ReleaseWork
  /** Where the console is, as browsers know it. */
  publicUrl: string
}
