import type { Readable } from 'node:stream'
import { assert } from '../../base/assert.ts'
import type { Brand } from '../../base/brand.ts'
import type { Uuid } from '../../base/id.ts'

/** The name of a stored file: two ids as hex, with a slash between. Nothing that a caller wrote ever gets into it. */
export type StorageKey = Brand<string, 'storage key'>

/** Both ends count. */
export type ByteRange = { start: number; end: number }

/** Where the bytes of files are. Each operation throws what goes wrong as an outage, and may be repeated. */
export type Storage = {
  /**
   * Stores the file at `path`, durably when it resolves; a reader sees all of it or nothing. The file at `path` may be moved away by it: it
   * must lie in the data directory, and whoever made it deletes it if it is still there.
   */
  put(key: StorageKey, path: string, sizeBytes: number): Promise<void>
  /** The bytes, or those of a range that lies inside the file. Rejects before anything is read when there is no such file. The caller reads the stream or destroys it. */
  read(key: StorageKey, range?: ByteRange): Promise<Readable>
  /** Does nothing when there is no such file. */
  delete(key: StorageKey): Promise<void>
  /** Throws when files cannot be stored now. */
  check(): Promise<void>
  close(): void
}

/** An S3-compatible store; what is null, the AWS variables say. */
export type Bucket = { bucket: string; prefix: string; endpoint: string | null; region: string | null }

/** The first part says whose file it is, so that all of one owner can be found. */
export function storageKey(owner: Uuid, file: Uuid): StorageKey {
  const key = `${owner}/${file}`.replaceAll('-', '')
  assert(/^[0-9a-f]{32}\/[0-9a-f]{32}$/.test(key), 'a key of the storage is made of two ids')
  return key as StorageKey
}
