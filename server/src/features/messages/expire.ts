import type { Clock } from '../../base/clock.ts'
import { formatId } from '../../base/id.ts'
import type { Database } from '../../platform/database/database.ts'
import { faultWords, isDataFailure } from '../../platform/database/failure.ts'
import { inHalves } from '../../platform/database/halves.ts'
import type { DeliveryHint } from '../webhooks/public.ts'
import { applyMoves } from './apply-moves.ts'
import type { SendObservation } from './observation.ts'
import { dropExpiredSends, type QueuedSend } from './send-queue.ts'

type Deps = {
  database: Database
  clock: Clock
  observe: (observation: SendObservation) => void
  wakeDeliveries: (hints: readonly DeliveryHint[]) => void
}

/**
 * rule: states 6. Fails sends that waited for 15 minutes and have not left, and returns how many, with those whose end cannot be written down: they
 * stop no other. One that left meanwhile is neither.
 */
export async function expireSends(deps: Deps, late: readonly QueuedSend[]): Promise<{ count: number; refused: QueuedSend[] }> {
  const ended = { count: 0, refused: [] as QueuedSend[] }
  await inHalves(late, (some) => expireSome(deps, some), {
    done: (_some, count) => {
      ended.count += count
    },
    failed: (some, error) => {
      if (!isDataFailure(error)) throw error
      ended.refused.push(...some)
      const message = faultWords(error)
      for (const { messageId } of some) deps.observe({ kind: 'send.not_settled', messageId: formatId('msg', messageId), message })
    },
  })
  return ended
}

async function expireSome(deps: Deps, late: readonly QueuedSend[]): Promise<number> {
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
