/** What the composition root may use of notices. */

/** How much waits, for the gauges. */
export { type NoticeDepth, noticeDepth } from './depth-store.ts'
/** Writes notices down: what upstream posts, and what the simulated upstream of test keys will say. */
export { createNoticeKeeper } from './keep.ts'
