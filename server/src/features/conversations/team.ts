import { formatId, type Uuid } from '../../base/id.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { NamesOf } from '../messages/public.ts'

/** What the inbox asks of those who keep the members of an account. */
export type Team = {
  namesOf: NamesOf
  /**
   * Whether somebody may work on conversations of the account, which stays so until commit. Asked before a conversation is locked: who
   * leaves is locked first too.
   */
  holdWorker: (tx: Tx, accountId: Uuid, userId: Uuid) => Promise<boolean>
}

export const memberJson = (userId: Uuid, names: ReadonlyMap<Uuid, string>) => ({
  id: formatId('usr', userId),
  name: names.get(userId) ?? null,
})
