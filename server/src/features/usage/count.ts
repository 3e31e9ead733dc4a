import type { Tx } from '../../platform/database/database.ts'
import { addUsage } from './store.ts'
import { type MessageChange, partOf, usageChanges } from './usage.ts'

/**
 * Counts what happened to messages, in the transaction in which it happens (rule: usage 5): one statement for all of them, none when no
 * figure changes. Whoever inserts a message, or changes one, calls it. It locks rows that other transactions of the account add to, so
 * the order of locks matters: new messages after all else but their events, moves last of all. The two add to different counters.
 */
export async function countUsage(tx: Tx, changes: readonly MessageChange[]): Promise<void> {
  const [first] = changes
  if (first === undefined) return
  const sums = usageChanges(changes)
  if (sums.length > 0) await addUsage(tx, sums, partOf(first.after.id))
}
