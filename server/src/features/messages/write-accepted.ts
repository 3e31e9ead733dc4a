import type { Uuid } from '../../base/id.ts'
import type { Tx } from '../../platform/database/database.ts'
import { countUsage } from '../usage/public.ts'
import { type AcceptedSend, enqueueSends, insertAuthors, insertMessages, keepAnswersOf } from './accept-store.ts'
import { recordChanges } from './feed.ts'

/**
 * Writes accepted sends in this order, each as a message, a place in the queue and an answer under its key, and counts them; answers the
 * ids of those that were written: a missing one lost its key to another request. One statement a table, and no join between them: joined
 * lists of the planner's guessed ten rows are compared each with each.
 */
export async function writeAccepted(tx: Tx, sends: readonly AcceptedSend[], now: Date): Promise<Set<Uuid>> {
  const free = await keepAnswersOf(tx, sends, now)
  const written = await insertMessages(tx, free)
  const fresh = free.filter((each) => written.has(each.message.id))
  // The counters last: whoever holds a row of them waits for nothing more.
  await Promise.all([
    enqueueSends(tx, fresh, now),
    insertAuthors(tx, fresh),
    recordChanges(
      tx,
      now,
      fresh.map(({ message }) => ({ ...message, how: 'new' })),
    ),
    countUsage(
      tx,
      fresh.map(({ message }) => ({ before: null, after: message })),
    ),
  ])
  return written
}
