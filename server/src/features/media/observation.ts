import type { Uuid } from '../../base/id.ts'
import type { MediaKind } from './media.ts'

/** What files have to tell: never a name, a url or a token. */
export type MediaObservation =
  /** A file was taken. `isNew` is false when the account had the same bytes already. */
  | { kind: 'media.stored'; mediaId: Uuid; mediaKind: MediaKind; mimeType: string; sizeBytes: number; isNew: boolean }
  /** Upstream was given a file: `uploaded`, `refused` (this file, for good) or `unavailable` (now). */
  | { kind: 'media.given_upstream'; mediaId: Uuid; channelId: Uuid; outcome: string; code: number | null; durationMs: number }
  /** The row of a file is there, and its bytes cannot be read. */
  | { kind: 'media.unreadable'; mediaId: Uuid; message: string }
  /** Nothing had a file any more: its row and its bytes are gone. */
  | { kind: 'media.removed'; mediaId: Uuid }
  /** Its row is gone, and its bytes cannot be deleted now. */
  | { kind: 'media.not_removed'; mediaId: Uuid; message: string }
