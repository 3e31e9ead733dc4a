import { formatId, type Uuid } from '../../base/id.ts'
import type { NamesOf } from '../messages/public.ts'

/** What the inbox asks of those who keep the members of an account. */
export type Team = {
  namesOf: NamesOf
  isMember: (accountId: Uuid, userId: Uuid) => Promise<boolean>
}

export const memberJson = (userId: Uuid, names: ReadonlyMap<Uuid, string>) => ({
  id: formatId('usr', userId),
  name: names.get(userId) ?? null,
})
