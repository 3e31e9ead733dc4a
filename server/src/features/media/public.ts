/** What the features after it may use of media. */
export type { Media, MediaKind } from './media.ts'
export { mediaUrl, parseMediaReference } from './media.ts'
export type { MediaObservation } from './observation.ts'
/** Files that messages have no longer. */
export { type FilePlace, hideMedia, queueRemovals } from './removal-store.ts'
export { removeReleasedFiles } from './remove-files.ts'
/** What a kind of file may weigh in a message. */
export { sendBytesMax } from './rules.ts'
/** The files of an account, by id or by the token of a url. */
export { findMedia, type WantedMedia } from './store.ts'
/** Stores what a person sent. */
export { storeFile } from './store-file.ts'
/** What upstream calls our files. */
export { createUpstreamMedia, knownUpstreamIds, type UpstreamMedia, type UpstreamMediaId } from './upstream-media.ts'
