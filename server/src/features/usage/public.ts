/** What later features and the composition root may use of usage. */

/** Counts what happened to messages, in the transaction in which it happens. */
export { countUsage, uncountUsage } from './count.ts'
/** Makes one row of those of each counter of the past, bounded. */
export { foldPastUsage } from './fold.ts'
/** What an account sent and received today. */
export { figuresOfToday } from './report.ts'
export type { MessageChange } from './usage.ts'
