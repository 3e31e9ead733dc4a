import type { Clock } from '../../base/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { DeliveryHint } from '../webhooks/public.ts'
import { applyMoves } from './apply-moves.ts'
import { dropExpiredSends, type QueuedSend } from './send-queue.ts'

type Deps = { database: Database; clock: Clock; wakeDeliveries: (hints: readonly DeliveryHint[]) => void }

/** rule: states 6. Fails sends that waited for 15 minutes and have not left; answers how many. One that left meanwhile is none of them. */
export async function expireSends(deps: Deps, late: readonly QueuedSend[]): Promise<number> {
  const now = deps.clock.now()
  const { hints, count } = await deps.database.repeatable(async (tx) => {
    const expired = await dropExpiredSends(tx, late, now)
    const hints = await applyMoves(
      tx,
      deps.clock,
      expired.map((each) => ({ ...each, move: { kind: 'expired', at: now } })),
    )
    return { hints, count: expired.length }
  })
  deps.wakeDeliveries(hints)
  return count
}
