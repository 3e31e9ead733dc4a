import type { Clock } from '../../base/clock.ts'
import { limits } from '../../limits.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import { faultWords, isDataFailure } from '../../platform/database/failure.ts'
import { type Storage, storageKey } from '../../platform/storage/storage.ts'
import type { MediaObservation } from './observation.ts'
import {
  deleteMedia,
  endRemoval,
  type FilePlace,
  findDueRemovals,
  hideMedia,
  lockReleased,
  postponeRemoval,
  type Removal,
  showMediaAgain,
} from './removal-store.ts'

type Deps = {
  database: Database
  clock: Clock
  storage: Pick<Storage, 'delete'>
  observe: (observation: MediaObservation) => void
  /** Whether a message of the account has this file. */
  isReferred: (tx: Tx, file: FilePlace) => Promise<boolean>
}

const atOnceMax = 100
const roundsMax = 10
/** More than so many failures at a time are an outage of the storage. */
const failuresMax = 3

/**
 * rule: files 4. Removes files that were released and that nothing has: first the row, then the bytes, so that a crash leaves neither a row without
 * bytes nor bytes that nobody comes back for. At most 1,000 at a time; those whose bytes cannot be deleted now come again later.
 */
export async function removeReleasedFiles(deps: Deps): Promise<void> {
  let failures = 0
  for (let round = 0; round < roundsMax && failures < failuresMax; round += 1) {
    const due = await findDueRemovals(deps.database, deps.clock.now(), atOnceMax)
    for (const each of due) {
      if (failures < failuresMax && !(await removeOrPostpone(deps, each))) failures += 1
    }
    if (due.length < atOnceMax) return
  }
}

/** False: the bytes could not be deleted. One whose row the database does not let go comes again later too, and holds up no other. */
async function removeOrPostpone(deps: Deps, removal: Removal): Promise<boolean> {
  try {
    if ((await decide(deps, removal)) === 'not_now') return true
  } catch (error) {
    if (!isDataFailure(error)) throw error
    await postpone(deps, removal, faultWords(error))
    return true
  }
  try {
    await deps.storage.delete(storageKey(removal.accountId, removal.mediaId))
  } catch (error) {
    await postpone(deps, removal, error instanceof Error ? error.message : 'unknown')
    return false
  }
  await endRemoval(deps.database, removal)
  deps.observe({ kind: 'media.removed', mediaId: removal.mediaId })
  return true
}

async function postpone({ database, clock, observe }: Deps, removal: Removal, message: string): Promise<void> {
  const tries = removal.tries + 1
  const delayMs = Math.min(limits.mediaRemovalDelayMsMax, 1_000 * 2 ** tries)
  await postponeRemoval(database, { ...removal, tries }, new Date(clock.now().getTime() + delayMs))
  observe({ kind: 'media.not_removed', mediaId: removal.mediaId, message })
}

/** Who has found the file before it was hidden has time to write down that they have it: it is looked at once more after that. */
function decide({ database, clock, isReferred }: Deps, removal: Removal): Promise<'bytes' | 'not_now'> {
  const now = clock.now()
  return database.transaction(async (tx) => {
    const media = await lockReleased(tx, removal)
    if (media === null) return 'bytes'
    if (media.uploaded || (await isReferred(tx, removal))) {
      await showMediaAgain(tx, removal)
      await endRemoval(tx, removal)
      return 'not_now'
    }
    const goesAt = new Date((media.goneAt ?? now).getTime() + limits.mediaRemovalMs)
    if (goesAt > now) {
      await hideMedia(tx, [removal], now)
      await postponeRemoval(tx, removal, goesAt)
      return 'not_now'
    }
    await deleteMedia(tx, removal)
    return 'bytes'
  })
}
