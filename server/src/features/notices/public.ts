/** What the composition root and the operator's tool may use of notices. */

/** How much waits, for the gauges. */
export { type NoticeDepth, noticeDepth } from './depth-store.ts'
/** Forgets which changes were taken in, once they cannot come again. */
export { dropOldChanges } from './drop-old-changes.ts'
/** Writes notices down: what upstream posts, and what the simulated upstream of test keys will say. */
export { createNoticeKeeper } from './keep.ts'
/** Works notices through again: one with an item that lies set aside, or all since a moment. */
export { replayItem, replaySince } from './replay.ts'
/** What lies set aside. */
export { listSetAside, type SetAsideItem } from './set-aside-store.ts'
