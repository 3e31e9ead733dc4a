import type { Tx } from '../../platform/database/database.ts'
import { addUsage } from './store.ts'
import { type CountedMessage, type MessageChange, partOf, usageChanges } from './usage.ts'

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

/** Takes back what these messages count for: they turned out to be others, and are gone. In the transaction in which they go. */
export async function uncountUsage(tx: Tx, gone: readonly CountedMessage[]): Promise<void> {
  const [first] = gone
  if (first === undefined) return
  const sums = usageChanges(gone.map((before) => ({ before, after: null })))
  if (sums.length > 0) await addUsage(tx, sums, partOf(first.id))
}
