/** What the composition root may use of notices. */

/** Writes notices down: what upstream posts, and what the simulated upstream of test keys will say. */
export { createNoticeKeeper } from './keep.ts'
