import type { Uuid } from '../../base/id.ts'
import type { Tx } from '../../platform/database/database.ts'
import { type FilePlace, hideMedia, queueRemovals } from '../media/public.ts'
import { findReferredMedia } from './store.ts'

/**
 * rule: files 4. These messages, or a fetch that nobody waits for any more, had these files. What no other message has is hidden with the commit; it is
 * looked at again afterwards, since another transaction may take the last reference, or a new one, at the same time.
 */
export async function releaseFiles(tx: Tx, released: readonly FilePlace[], now: Date): Promise<void> {
  if (released.length === 0) return
  const files = [...new Map(released.map((each) => [each.mediaId, each])).values()].toSorted((a, b) => (a.mediaId < b.mediaId ? -1 : 1))
  const referred = await findReferredMedia(tx, files)
  const free = files.filter((each) => !referred.has(each.mediaId))
  await hideMedia(tx, free, now)
  await queueRemovals(tx, files, now)
}

/** Whether a message of the account has this file. */
export const isFileReferred = async (tx: Tx, file: FilePlace): Promise<boolean> => (await findReferredMedia(tx, [file])).has(file.mediaId)

/** The files that messages had, and have no longer. */
export function filesLost(
  before: readonly { accountId: Uuid; id: Uuid; mediaId: Uuid | null }[],
  after: readonly { id: Uuid; mediaId: Uuid | null }[],
): FilePlace[] {
  const now = new Map(after.map((each) => [each.id, each.mediaId]))
  return before.flatMap(({ accountId, id, mediaId }) =>
    mediaId !== null && now.has(id) && now.get(id) !== mediaId ? [{ accountId, mediaId }] : [],
  )
}
