import { randomBytes } from 'node:crypto'
import { present } from '../../base/assert.ts'
import type { Clock } from '../../base/clock.ts'
import { newUuid, type Uuid } from '../../base/id.ts'
import { because, invalidField, type Refusal } from '../../base/refusal.ts'
import { ok, type Result, refused } from '../../base/result.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import { type Storage, storageKey } from '../../platform/storage/storage.ts'
import { detectFile } from './detect.ts'
import type { FileKind, Media } from './media.ts'
import type { MediaObservation } from './observation.ts'
import { dayRefusal, fitsIntoDay, nameRefusal, sizeRefusal, uploadDay } from './rules.ts'
import { claimSameBytes, insertMedia, lockUploadDay, readUploadDay, setUploadDay } from './store.ts'

export type StoreDeps = { database: Database; clock: Clock; storage: Storage; observe: (observation: MediaObservation) => void }

/** Bytes on this disk, in the data directory. Storing may move the file away; whoever made it deletes it if it is still there. */
export type LocalFile = { accountId: Uuid; path: string; sizeBytes: number; sha256: Buffer; fileName: string | null }

/** Why an upload is not taken; `retryAfterSeconds` is null where the same again would be refused too. */
export type UploadRefusal = { refusal: Refusal; retryAfterSeconds: number | null }

/**
 * Takes an upload: only what upstream would take, of the size that its kind may have, within the day's new bytes. The same bytes again are
 * the same file, also when both come at once. Its bytes are durable before it can be found.
 */
export async function storeUpload(deps: StoreDeps, file: LocalFile): Promise<Result<Media, UploadRefusal>> {
  const kind = await uploadKind(file)
  if (!kind.ok) return refused({ refusal: kind.refusal, retryAfterSeconds: null })
  const now = deps.clock.now()
  return keep(deps, { media: newMedia(file, kind.value, now), path: file.path, uploaded: true }, async () =>
    // Without a lock, so that what is far beyond the day's bytes is not stored first; the insertion decides.
    fitsIntoDay(await readUploadDay(deps.database, file.accountId, uploadDay(now)), file.sizeBytes) ? insertUpload : null,
  )
}

/**
 * rule: media 5. Stores bytes that a person sent, of whatever kind they are: refusing them would lose them. `declared` is what upstream called them, for
 * kinds that are not known here. They do not count as uploads; the same bytes again are the same file.
 */
export async function storeFile(deps: StoreDeps, file: LocalFile & { declared: Pick<FileKind, 'kind' | 'mimeType'> }): Promise<Media> {
  const kind = await detectFile(file.path, file.sizeBytes)
  const media = newMedia(file, kind.ok ? kind.value : { ...file.declared, animated: false }, deps.clock.now())
  const stored = await keep(deps, { media, path: file.path, uploaded: false }, async () => insertFound)
  return present(stored.ok ? stored.value : null, 'what a person sent is never refused')
}

/** rule: media 1, media 2 */
async function uploadKind(file: LocalFile): Promise<Result<FileKind, Refusal>> {
  if (file.sizeBytes === 0) return refused(invalidField('file', because('file_empty', 'The file is empty.')))
  const wrongName = nameRefusal(file.fileName)
  if (wrongName !== null) return refused(wrongName)
  const kind = await detectFile(file.path, file.sizeBytes)
  if (!kind.ok) return refused(invalidField('file', because('file_kind', `The file ${kind.refusal}`)))
  const wrongSize = sizeRefusal(kind.value, file.sizeBytes)
  return wrongSize === null ? kind : refused(wrongSize)
}

function newMedia(file: LocalFile, kind: FileKind, now: Date): Media {
  const { accountId, sizeBytes, sha256, fileName } = file
  return { ...kind, id: newUuid(now), accountId, token: randomBytes(32).toString('base64url'), sha256, sizeBytes, fileName, createdAt: now }
}

/** Writes a file down in the transaction, or says that the account has it already, or (null) that the day is full. */
type Insert = (tx: Tx, media: Media) => Promise<'inserted' | 'same' | null>

/**
 * rule: media 3. First the bytes, under a name that nobody else has, then the row. A crash between the two leaves bytes that no row names:
 * they take room and nothing else (`docs/operations.md` says how they are found). An error of the commit leaves them too, since whether it was
 * done is not known, and a row without its bytes would be worse.
 */
async function keep(
  deps: StoreDeps,
  { media, path, uploaded }: { media: Media; path: string; uploaded: boolean },
  allow: () => Promise<Insert | null>,
): Promise<Result<Media, UploadRefusal>> {
  const { database, storage, observe } = deps
  const told = (stored: Media, isNew: boolean) => {
    observe({
      kind: 'media.stored',
      mediaId: stored.id,
      mediaKind: stored.kind,
      mimeType: stored.mimeType,
      sizeBytes: stored.sizeBytes,
      isNew,
    })
    return ok(stored)
  }
  const same = await claimSameBytes(database, media, uploaded)
  if (same !== null) return told(same, false)
  const insert = await allow()
  if (insert === null) return refused(dayRefusal(media.createdAt))
  const key = storageKey(media.accountId, media.id)
  await storage.put(key, path, media.sizeBytes)
  const outcome = await database.transaction((tx) => insert(tx, media))
  if (outcome === 'inserted') return told(media, true)
  await storage.delete(key)
  if (outcome === null) return refused(dayRefusal(media.createdAt))
  // The other one has committed, or its insertion would not have been in the way.
  return told(present(await claimSameBytes(database, media, uploaded), 'the same bytes are there'), false)
}

// rule: media 4
const insertUpload: Insert = async (tx, media) => {
  const before = await lockUploadDay(tx, media.accountId, uploadDay(media.createdAt))
  // Looked up under the lock: what another upload has just written is not new a second time, and then the day does not matter.
  if ((await claimSameBytes(tx, media, true)) !== null) return 'same'
  if (!fitsIntoDay(before, media.sizeBytes)) return null
  if (!(await insertMedia(tx, media, true))) return 'same'
  await setUploadDay(tx, media.accountId, before + media.sizeBytes)
  return 'inserted'
}

const insertFound: Insert = async (tx, media) => ((await insertMedia(tx, media, false)) ? 'inserted' : 'same')
