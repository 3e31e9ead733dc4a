import type { Clock } from '../../base/clock.ts'
import { lowestUuidAt, newUuid, type Uuid } from '../../base/id.ts'
import { type Refusal, refusal } from '../../base/refusal.ts'
import { ok, type Result, refused } from '../../base/result.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import { findNoticesOfItems, moveItem } from './set-aside-store.ts'
import { findKeptNotices, insertForReplay, listWorkedNotices, markForReplay } from './store.ts'

type Deps = { database: Database; clock: Clock }

/** Rows that one transaction marks, so that none holds the locks of many for long. */
const markedAtOnceMax = 1_000

/**
 * rule: receive 20. Puts one item that lies set aside into the queue of replays, with the notice that told it. It lies there until it has been
 * worked through. Answers how many notices were put there: 1, or 0 when it waits already.
 */
export async function replayItem({ database, clock }: Deps, id: Uuid): Promise<Result<number, Refusal>> {
  const { found, replayed } = await database.repeatable((tx) => replayItems(tx, clock, [id]))
  return found === 0 ? refused(refusal('not_found', 'No item with this id lies set aside.')) : ok(replayed)
}

/** The same for many, in the caller's transaction. */
export async function replayItems(tx: Tx, clock: Clock, ids: readonly Uuid[]): Promise<{ found: number; replayed: number }> {
  if (ids.length === 0) return { found: 0, replayed: 0 }
  const now = clock.now()
  const items = await findNoticesOfItems(tx, ids)
  const inboxIds = [...new Set(items.map((each) => each.inboxId))].sort()
  // Notices before items, in the order in which the lanes lock them.
  let replayed = (await markForReplay(tx, inboxIds, now)).length
  const kept = await findKeptNotices(tx, inboxIds)
  // Its notice is not kept any more: the item is told by a new one.
  for (const item of items.filter((each) => !kept.has(each.inboxId))) {
    const id = newUuid(now)
    const told = await moveItem(tx, item, id)
    if (told === null) continue
    await insertForReplay(tx, { ...told, id, accountId: told.livemode ? null : told.accountId, dueAt: now })
    replayed += 1
  }
  return { found: items.length, replayed }
}

/**
 * rule: receive 20. Puts all notices that came at `since` or later, up to now, into the queue of replays, and answers how many. Whoever is
 * interrupted asks again: what was put there stays, and working a notice through twice changes nothing.
 */
export async function replaySince({ database, clock }: Deps, since: Date): Promise<number> {
  const now = clock.now()
  // Notices that come from now on are worked through by this version anyway; without an end one might run after them for ever.
  const end = lowestUuidAt(new Date(now.getTime() + 1))
  // No UUIDv7 is the lowest of its moment: it says 7 where this one says 0.
  let after = lowestUuidAt(since)
  let replayed = 0
  for (;;) {
    const ids = await listWorkedNotices(database, after, end, markedAtOnceMax)
    replayed += (await database.repeatable((tx) => markForReplay(tx, ids, now))).length
    const last = ids.at(-1)
    if (last === undefined || ids.length < markedAtOnceMax) return replayed
    after = last
  }
}
