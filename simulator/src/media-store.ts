import { createHash, createHmac } from 'node:crypto'
import type { Clock } from './clock.ts'
import type { Random } from './random.ts'

/** Whether a business uploaded a file or a person sent it. */
export type MediaOrigin = 'upload' | 'inbound'

/** A file that the platform holds. `sha256` is hex; `fileName` is null where none was told. Its id works until `expiresAtMs` (Unix milliseconds). */
export type MediaFile = {
  id: string
  origin: MediaOrigin
  phoneNumberId: string
  wabaId: string
  mimeType: string
  fileName: string | null
  bytes: Buffer
  sha256: string
  expiresAtMs: number
}

/** What is known of a file before it is kept. With an `id` the file gets that one; a file that had it is replaced. */
export type NewMedia = Pick<MediaFile, 'origin' | 'phoneNumberId' | 'wabaId' | 'mimeType' | 'fileName' | 'bytes'> & { id?: string }

/** Files by id. What is over the bound pushes the oldest files out, and their ids are then unknown. */
export type MediaStore = {
  /** Null when the file and the uploads under way would not fit, whatever were dropped. */
  keep(media: NewMedia): MediaFile | null
  /** The file of a living id, or null. */
  find(id: string): MediaFile | null
  /** Forgets a file; false when there was none. */
  remove(id: string): boolean
  /** The query of a link that lives for five minutes: `mid=…&ext=…&hash=…`. */
  linkQuery(file: MediaFile): string
  /** The file that a link is for, or null when it is not one of ours or its time is over. */
  byLink(query: { mid?: string; ext?: string; hash?: string }): MediaFile | null
  /** Ends the life of every link to this file that was made so far; its id goes on working. */
  expireLinks(id: string): void
  /** Ends the life of an id, and with it its links. */
  expire(id: string): void
  /** What is kept, oldest first. */
  all(): MediaFile[]
  /** Counts bytes of an upload that is still being read, or takes them back; false when they would be too many. */
  reserve(bytes: number): boolean
}

const DAY_MS = 24 * 60 * 60 * 1000
const LIFE_MS: { readonly [Origin in MediaOrigin]: number } = { upload: 30 * DAY_MS, inbound: 7 * DAY_MS }
const LINK_LIFE_SECONDS = 5 * 60

/** Nothing is kept yet; at most `bytesMax` in all, uploads under way included. */
export function createMediaStore(deps: { clock: Clock; random: Random }, bytesMax: number): MediaStore {
  const { clock, random } = deps
  const files = new Map<string, { file: MediaFile; linkAge: number }>()
  const secret = `links of run ${random.seed}`
  let bytesKept = 0
  let bytesReserved = 0

  const remove = (id: string) => {
    bytesKept -= files.get(id)?.file.bytes.length ?? 0
    return files.delete(id)
  }
  const makeRoom = (bytes: number) => {
    if (bytes + bytesReserved > bytesMax) return false
    for (const id of files.keys()) {
      if (bytesKept + bytesReserved + bytes <= bytesMax) break
      remove(id)
    }
    return true
  }
  const keep = ({ id = freshId(random), ...media }: NewMedia) => {
    if (!makeRoom(media.bytes.length)) return null
    remove(id)
    const sha256 = createHash('sha256').update(media.bytes).digest('hex')
    const file = { id, ...media, sha256, expiresAtMs: clock.nowMs() + LIFE_MS[media.origin] }
    files.set(id, { file, linkAge: 0 })
    bytesKept += file.bytes.length
    return file
  }
  const living = (id: string) => {
    const kept = files.get(id)
    return kept !== undefined && clock.nowMs() < kept.file.expiresAtMs ? kept : null
  }
  // A link is valid by what it says, so that none has to be remembered. Its age is part of it: a newer age makes all older links wrong.
  const hashOf = (mid: string, ext: string, linkAge: number) => {
    return `AR${createHmac('sha256', secret).update(`${mid} ${ext} ${linkAge}`).digest('hex').slice(0, 32)}`
  }
  const linkQuery = (file: MediaFile) => {
    const ext = String(Math.floor(clock.nowMs() / 1000) + LINK_LIFE_SECONDS)
    return new URLSearchParams({ mid: file.id, ext, hash: hashOf(file.id, ext, files.get(file.id)?.linkAge ?? 0) }).toString()
  }
  const byLink = ({ mid = '', ext = '', hash = '' }: { mid?: string; ext?: string; hash?: string }) => {
    const kept = living(mid)
    if (kept === null || hash !== hashOf(mid, ext, kept.linkAge)) return null
    return clock.nowMs() < Number(ext) * 1000 ? kept.file : null
  }
  return {
    keep,
    find: (id) => living(id)?.file ?? null,
    remove,
    linkQuery,
    byLink,
    expireLinks: (id) => {
      const kept = files.get(id)
      if (kept !== undefined) kept.linkAge += 1
    },
    expire: (id) => {
      const kept = files.get(id)
      if (kept !== undefined) kept.file = { ...kept.file, expiresAtMs: clock.nowMs() }
    },
    all: () => [...files.values()].map((each) => each.file),
    reserve: (bytes) => {
      if (bytes > 0 && !makeRoom(bytes)) return false
      bytesReserved += bytes
      return true
    },
  }
}

function freshId(random: Random): string {
  // Sixteen digits, all of which JavaScript can hold exactly.
  return String(1_000_000_000_000_000 + random.below(2 ** 26) * 2 ** 26 + random.below(2 ** 26))
}
