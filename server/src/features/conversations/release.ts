import type { Uuid } from '../../base/id.ts'
import type { Tx } from '../../platform/database/database.ts'
import { recordChanges } from '../messages/public.ts'
import { unassignSome } from './store.ts'

/** Conversations that one transaction frees: some tens of milliseconds. */
const releasedMax = 1_000

/**
 * rule: inbox 1. Frees conversations of somebody who can no longer work on them, at most 1,000, in the caller's transaction. Returns
 * whether more may be left. Closed ones too: a person who writes again opens them. The caller has locked the membership.
 */
export async function releaseAssigned(tx: Tx, of: { accountId: Uuid; userId: Uuid; now: Date }): Promise<boolean> {
  const { accountId, now } = of
  const freed = await unassignSome(tx, of, releasedMax)
  await recordChanges(
    tx,
    now,
    freed.map(({ id, livemode }) => ({ accountId, id, livemode, how: 'conversation' })),
  )
  return freed.length >= releasedMax
}
