/** What later features may ask of marketing opt-outs. */

/** Brings opt-outs along when people turn out to be one: for all who meet people. */
export { followPeople } from './follow.ts'
/** Takes opt-outs back, and says whose there were. */
export { liftOptOuts } from './lift.ts'
/** Opts people out, and says for whom that changed anything. */
export { setOptOuts } from './set.ts'
/** Who of these people has opted out; for template sends. */
export { optedOutAmong } from './store.ts'
