import type { Clock } from '../../base/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Reads } from '../../platform/database/reads.ts'
import type { Attempts } from '../../platform/http/attempts.ts'
import type { SendMail } from '../../platform/mail/mail.ts'
import type { Devices } from './devices.ts'
import type { Errands } from './errands.ts'
import type { AuthLoader } from './load-auth.ts'
import type { ReadSession } from './read-session.ts'

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
  /** Where the console is, as browsers know it. */
  publicUrl: string
}
