import type { Clock } from '../../base/clock.ts'
import type { Uuid } from '../../base/id.ts'
import { because, type Refusal, refusal } from '../../base/refusal.ts'
import { ok, type Result, refused } from '../../base/result.ts'
import type { Database } from '../../platform/database/database.ts'
import { recordChanges } from './feed.ts'
import { retryFetch } from './file-fetch-store.ts'
import { findMessage } from './store.ts'

type Deps = { database: Database; clock: Clock; wakeFiles: () => void }

/**
 * Has the file of a message fetched again whose fetch was given up. The message is not told a second time: whoever reads it finds the file once
 * it is here.
 */
export async function retryFile(
  { database, clock, wakeFiles }: Deps,
  { accountId, livemode, id }: { accountId: Uuid; livemode: boolean; id: Uuid | null },
): Promise<Result<{ success: boolean }, Refusal>> {
  const message = id === null ? null : await findMessage(database, accountId, livemode, id)
  if (message === null) return refused(refusal('not_found', because('no_message', 'There is no message with this id.')))
  const done = await database.transaction(async (tx) => {
    const now = clock.now()
    if (!(await retryFetch(tx, message, now))) return false
    await recordChanges(tx, now, [{ ...message, how: 'changed' }])
    return true
  })
  if (!done) return refused(refusal('conflict', because('no_file_to_retry', 'No file of this message was given up.')))
  wakeFiles()
  return ok({ success: true })
}
