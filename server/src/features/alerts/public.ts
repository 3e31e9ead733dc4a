/** What the tasks may use of alerts. */

/** Tells the owners by mail. */
export { type MailDeps, mailAlerts } from './mail.ts'
export type { AlertObservation } from './observation.ts'
/** Opens and closes alerts. */
export { watchForTrouble } from './watch.ts'
