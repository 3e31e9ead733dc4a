import type { Clock } from '../../base/clock.ts'
import { formatId } from '../../base/id.ts'
import type { Database } from '../../platform/database/database.ts'
import { faultWords, isDataFailure } from '../../platform/database/failure.ts'
import { inHalves } from '../../platform/database/halves.ts'
import type { DeliveryHint } from '../webhooks/public.ts'
import { applyMoves } from './apply-moves.ts'
import type { SendObservation } from './observation.ts'
import { findQueuedSends, holdQueuedSends, recordAttempts, type SendKey } from './send-queue.ts'

type Deps = {
  database: Database
  clock: Clock
  observe: (observation: SendObservation) => void
  wakeDeliveries: (hints: readonly DeliveryHint[]) => void
}

/**
 * Marks up to `most` sends after the key `after` that were accepted until then and wait as unknown: the database was restored, and they may have
 * left before. A notice settles them, else they fail with words that say so (rule: queue 4, queue 7). One whose data are refused stops no
 * other. Returns how many it marked, and the key to go on after; null: that was all.
 */
export async function holdRestoredSends(
  deps: Deps,
  bite: { acceptedUntil: Date; after: SendKey | null; most: number },
): Promise<{ held: number; next: SendKey | null }> {
  const found = await findQueuedSends(deps.database, bite)
  const refused: SendKey[] = []
  let held = 0
  await inHalves(found, (some) => holdSome(deps, some), {
    done: (_some, count) => {
      held += count
    },
    failed: (some, error) => {
      if (!isDataFailure(error)) throw error
      refused.push(...some)
    },
  })
  for (const each of refused) held += await holdBare(deps, each)
  return { held, next: found.length === bite.most ? (found.at(-1) ?? null) : null }
}

async function holdSome(deps: Deps, sends: readonly SendKey[]): Promise<number> {
  const { hints, count } = await deps.database.repeatable(async (tx) => {
    const held = await holdQueuedSends(tx, sends)
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

/**
 * Takes the send out of what may leave, and writes nothing else of it. Where that is refused too, so is the intent, without which it never leaves.
 */
async function holdBare({ database, observe }: Deps, send: SendKey): Promise<number> {
  const told = (error: unknown) =>
    observe({ kind: 'send.not_settled', messageId: formatId('msg', send.messageId), message: faultWords(error) })
  try {
    return (await database.repeatable((tx) => holdQueuedSends(tx, [send]))).length
  } catch (error) {
    if (!isDataFailure(error)) throw error
    told(error)
    return 0
  }
}
