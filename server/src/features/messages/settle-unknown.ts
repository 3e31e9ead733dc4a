import type { Clock } from '../../base/clock.ts'
import type { Uuid } from '../../base/id.ts'
import { limits } from '../../limits.ts'
import type { Database } from '../../platform/database/database.ts'
import type { DeliveryHint } from '../webhooks/public.ts'
import { applyMoves } from './apply-moves.ts'
import { findLostSends, findOrphanedSends, finishSends, markSendsUnknown, type OrphanedSend, recordAttempts } from './send-queue.ts'

/** Longer than any call with its recording takes. */
const callMsMax = 90_000

type Deps = { database: Database; clock: Clock; wakeDeliveries: (hints: readonly DeliveryHint[]) => void }

/**
 * Marks sends as unknown whose owner died, or gave the shard away, while they were under way: they may have been sent, and
 * are never sent again by us (rule: queue 4). Answers them, at most `most`.
 */
export async function settleOrphans(deps: Deps, owned: ReadonlyMap<number, number>, most: number): Promise<OrphanedSend[]> {
  const oldBefore = new Date(deps.clock.now().getTime() - callMsMax)
  // Nearly always there is none, and then there is no transaction either.
  if ((await findOrphanedSends(deps.database, owned, oldBefore, 1)).length === 0) return []
  // Over all tries: what one marked whose commit was done, and its answer lost, no later try finds, and its people must be held back all the same.
  const found = new Map<Uuid, OrphanedSend>()
  const hints = await deps.database.repeatable(async (tx) => {
    const orphans = await findOrphanedSends(tx, owned, oldBefore, most)
    if (orphans.length === 0) return []
    for (const each of orphans) found.set(each.messageId, each)
    await recordAttempts(
      tx,
      orphans.map((each) => ({ ...each, startedAt: each.intentAt, ms: 0, outcome: 'unknown', statusCode: null, code: null })),
    )
    await markSendsUnknown(tx, orphans)
    return applyMoves(
      tx,
      deps.clock,
      orphans.map((each) => ({
        accountId: each.accountId,
        id: each.messageId,
        move: { kind: 'outcome_unknown', intentAt: each.intentAt },
      })),
    )
  })
  deps.wakeDeliveries(hints)
  return [...found.values()]
}

/** Fails sends of which no notice came until two minutes after their fifteen, saying that the outcome is unknown; answers how many. */
export async function giveUpOnLostSends(deps: Deps, shards: readonly number[], most: number): Promise<number> {
  const now = deps.clock.now()
  const expiredBefore = new Date(now.getTime() - limits.unknownOutcomeMsMax)
  const lost = await findLostSends(deps.database, shards, expiredBefore, most)
  if (lost.length === 0) return 0
  const hints = await deps.database.repeatable(async (tx) => {
    await finishSends(tx, lost)
    return applyMoves(
      tx,
      deps.clock,
      lost.map((each) => ({ accountId: each.accountId, id: each.messageId, move: { kind: 'outcome_stays_unknown', at: now } })),
    )
  })
  deps.wakeDeliveries(hints)
  return lost.length
}
