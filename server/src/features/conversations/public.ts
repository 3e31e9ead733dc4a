/** What the composition root may use of conversations. */

/** How far the inbox is behind, for the gauges. */
export { type InboxDepth, inboxDepth } from './inbox-depth.ts'
/** Tells the open pages of the team what changes. */
export { createLive } from './live.ts'
/** Frees what was assigned to somebody who leaves. */
export { releaseAssigned } from './release.ts'
