/** What later features may ask of marketing opt-outs. */

/** Brings opt-outs along when people turn out to be one: for all who meet people. */
export { followPeople } from './follow.ts'
/** What people said about marketing by any way but a call. */
export { hearWishes } from './hear.ts'
/** Something that was heard of it. */
export type { Wish } from './opt-out.ts'
/** Whether a message is a word that opts out. */
export { isOptOutWord } from './rules.ts'
/** Who of these people has opted out; for template sends. */
export { optedOutAmong } from './store.ts'
