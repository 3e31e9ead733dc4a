import type { Clock } from '../../base/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { DeliveryHint } from '../webhooks/public.ts'
import { applyMoves } from './apply-moves.ts'
import { holdQueuedSends, recordAttempts } from './send-queue.ts'

type Deps = { database: Database; clock: Clock; wakeDeliveries: (hints: readonly DeliveryHint[]) => void }

/**
 * Marks up to `most` sends that were accepted until then and wait as unknown: the database was restored, and they may have left before.
 * A notice settles them, else they fail with words that say so (rule: queue 4, queue 7). Returns how many it marked.
 */
export async function holdRestoredSends(deps: Deps, acceptedUntil: Date, most: number): Promise<number> {
  const { hints, count } = await deps.database.repeatable(async (tx) => {
    const held = await holdQueuedSends(tx, acceptedUntil, most)
    await recordAttempts(
      tx,
      held.map((each) => ({ ...each, startedAt: each.intentAt, ms: 0, outcome: 'unknown', statusCode: null, code: null })),
    )
    const moves = held.map(({ accountId, messageId, intentAt }) => ({
      accountId,
      id: messageId,
      move: { kind: 'outcome_unknown' as const, intentAt },
    }))
    return { hints: await applyMoves(tx, deps.clock, moves), count: held.length }
  })
  deps.wakeDeliveries(hints)
  return count
}
