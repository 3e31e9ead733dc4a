import { newUuid, type Uuid } from '../../base/id.ts'
import type { Tx } from '../../platform/database/database.ts'
import { type FeedEntry, insertChanges } from './feed-store.ts'

/**
 * Something that happened to a message, or to a conversation. `new`: it was written, or is told from now on; `moved`: another status; `changed`:
 * other words, a file, a reaction, or it is gone.
 */
export type FeedChange = { accountId: Uuid; livemode: boolean; id: Uuid; how: 'new' | 'moved' | 'changed' | 'conversation' }

/**
 * Writes changes into the feed, in the transaction that makes them: whoever changes a message calls it. One row for each account and mode, and
 * no lock that anybody waits for, so that it may stand anywhere in the transaction.
 */
export async function recordChanges(tx: Tx, now: Date, changes: readonly FeedChange[]): Promise<void> {
  if (changes.length === 0) return
  await insertChanges(
    tx,
    entriesOf(changes).map((each) => ({ ...each, id: newUuid(now) })),
  )
}

/** One entry for each account and mode, in the order in which they first come up; each id once in each of its lists. */
function entriesOf(changes: readonly FeedChange[]): FeedEntry[] {
  const groups = new Map<string, { accountId: Uuid; livemode: boolean } & Record<FeedChange['how'], Set<Uuid>>>()
  for (const { accountId, livemode, id, how } of changes) {
    const place = `${accountId} ${livemode}`
    let group = groups.get(place)
    if (group === undefined) {
      group = { accountId, livemode, new: new Set(), moved: new Set(), changed: new Set(), conversation: new Set() }
      groups.set(place, group)
    }
    group[how].add(id)
  }
  return [...groups.values()].map((group) => ({
    accountId: group.accountId,
    livemode: group.livemode,
    newIds: [...group.new],
    movedIds: [...group.moved],
    changedIds: [...group.changed],
    conversationIds: [...group.conversation],
  }))
}
