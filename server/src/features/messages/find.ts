import type { Uuid } from '../../base/id.ts'
import { because, type Refusal, refusal } from '../../base/refusal.ts'
import { ok, type Result, refused } from '../../base/result.ts'
import type { Queries } from '../../platform/database/database.ts'
import { listChannels } from '../channels/public.ts'
import { findByWamid, findMessage } from './store.ts'

/** The message of this account and mode that upstream calls so, whichever of its numbers it is of. */
export async function messageOfWamid(
  { database }: { database: Queries },
  { accountId, livemode, wamid }: { accountId: Uuid; livemode: boolean; wamid: string },
): Promise<Result<Uuid, Refusal>> {
  const channels = await listChannels(database, accountId)
  const found = await findByWamid(
    database,
    channels.map(({ id }) => ({ accountId, channelId: id, wamid })),
  )
  for (const id of found) if (id !== null && (await findMessage(database, accountId, livemode, id)) !== null) return ok(id)
  return refused(refusal('not_found', because('no_message', 'There is no message with this id of the platform.')))
}
