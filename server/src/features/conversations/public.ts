/** What the composition root may use of conversations. */

/** Tells the open pages of the team what changes. */
export { createLive, type Live } from './live.ts'
/** What the inbox tells of itself. */
export type { ConversationObservation } from './observation.ts'
/** What the inbox asks of those who keep the members of an account. */
export type { Team } from './team.ts'
