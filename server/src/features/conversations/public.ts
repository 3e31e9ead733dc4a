/** What the composition root may use of conversations. */

/** Tells the open pages of the team what changes. */
export { createLive } from './live.ts'
