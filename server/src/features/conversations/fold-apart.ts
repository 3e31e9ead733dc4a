import type { Uuid } from '../../base/id.ts'
import type { Tx } from '../../platform/database/database.ts'
import { isRefusedForGood } from '../../platform/database/failure.ts'
import { inHalves } from '../../platform/database/halves.ts'
import { inSavepoint } from '../../platform/database/savepoint.ts'
import type { FoldOptions } from './fold.ts'

/** A message, by its key. */
export type MessageKey = { accountId: Uuid; id: Uuid }

/** Takes messages in, as they are now, in the caller's transaction. */
export type Fold = (tx: Tx, messages: readonly MessageKey[], options: FoldOptions) => Promise<void>

/** A message that was passed over, because the database refuses its data each time. */
export type SetAside = MessageKey & { error: unknown }

/**
 * Folds messages in their order, at most `atOnceMax` in one go, so that one whose data are refused stops no other: it is returned, and
 * nothing of it is written. Throws any other error.
 */
export async function foldApart(
  tx: Tx,
  fold: Fold,
  messages: readonly MessageKey[],
  { atOnceMax, ...options }: FoldOptions & { atOnceMax: number },
): Promise<SetAside[]> {
  const aside: SetAside[] = []
  const work = (some: readonly MessageKey[]) => inSavepoint(tx, () => fold(tx, some, options), isRefusedForGood)
  const failed = (some: readonly MessageKey[], error: unknown) => {
    const [first] = some
    if (first === undefined || !isRefusedForGood(error)) throw error
    aside.push({ ...first, error })
  }
  for (let from = 0; from < messages.length; from += atOnceMax)
    await inHalves(messages.slice(from, from + atOnceMax), work, { done: () => {}, failed })
  return aside
}
