import type { Clock } from '../../base/clock.ts'
import { formatId, type Uuid } from '../../base/id.ts'
import type { Database } from '../../platform/database/database.ts'
import type { SendMail } from '../../platform/mail/mail.ts'
import { findAccount } from '../accounts/public.ts'
import type { Alert } from './alert.ts'
import { mailWords } from './mail-words.ts'
import type { AlertObservation } from './observation.ts'
import { claimMail, finishMail } from './store.ts'

/** With what owners are told. `sendMail` answers whether the mail was handed over; where it throws, that is no. */
export type MailDeps = {
  ownersOf: (accountId: Uuid) => Promise<readonly { email: string; language: string }[]>
  sendMail: SendMail
  /** Where the console is opened. */
  consoleUrl: string
}

type Deps = { database: Database; clock: Clock; observe: (observation: AlertObservation) => void } & MailDeps

const alertsPerTurnMax = 20
/** Nobody waits for a mail, but a process that stops waits for the turn. */
const turnMsMax = 10_000
const triesMax = 5
/** What was not handed over, or was left by a process that died, is tried again then. */
const againMs = 5 * 60_000

/**
 * Tells the owners of alerts that were opened, a bounded number at a turn, each alert by one process. A process that dies after the mail and
 * before it is noted leaves it to be sent again: a mail twice is better than none.
 */
export async function mailAlerts(deps: Deps): Promise<void> {
  const endsAtMs = deps.clock.monotonicMs() + turnMsMax
  for (let told = 0; told < alertsPerTurnMax && deps.clock.monotonicMs() < endsAtMs; told += 1) {
    const now = deps.clock.now()
    const due = await claimMail(deps.database, now, new Date(now.getTime() + againMs))
    if (due === null) return
    const { alert, tries } = due
    const mailed = await tellOwners(deps, alert)
    if (!mailed && tries < triesMax) continue
    await finishMail(deps.database, alert, mailed ? deps.clock.now() : null)
    deps.observe({ kind: 'alert.mailed', accountId: formatId('acc', alert.accountId), trouble: alert.kind, mailed })
  }
}

/** True: at least one of them has it. Then it is not tried again, so that nobody has it twice. */
async function tellOwners(deps: Deps, { accountId, kind }: Alert): Promise<boolean> {
  const [owners, account] = await Promise.all([deps.ownersOf(accountId), findAccount(deps.database, accountId)])
  let mailed = false
  for (const { email, language } of owners) {
    const mail = mailWords(kind, { language, accountName: account?.name ?? '', consoleUrl: deps.consoleUrl })
    if (await deps.sendMail({ by: 'alert', to: email, ...mail }).catch(() => false)) mailed = true
  }
  return mailed
}
