import type { Clock } from '../../base/clock.ts'
import { formatId, type Uuid } from '../../base/id.ts'
import { limits } from '../../limits.ts'
import type { Database } from '../../platform/database/database.ts'
import { faultWords, isDataFailure } from '../../platform/database/failure.ts'
import { inHalves } from '../../platform/database/halves.ts'
import type { DeliveryHint } from '../webhooks/public.ts'
import { applyMoves } from './apply-moves.ts'
import type { SendObservation } from './observation.ts'
import {
  type Attempt,
  findLostSends,
  findOrphanedSends,
  finishSends,
  markSendsUnknown,
  type OrphanedSend,
  recordAttempts,
} from './send-queue.ts'

/** Longer than any call with its recording takes. */
const callMsMax = 90_000

type Deps = {
  database: Database
  clock: Clock
  observe: (observation: SendObservation) => void
  wakeDeliveries: (hints: readonly DeliveryHint[]) => void
}

/**
 * Marks sends as unknown whose owner died, or gave the shard away, while they were under way: they may have been sent, and
 * are never sent again by us (rule: queue 4). Answers them, at most `most`.
 */
export async function settleOrphans(deps: Deps, owned: ReadonlyMap<number, number>, most: number): Promise<OrphanedSend[]> {
  const oldBefore = new Date(deps.clock.now().getTime() - callMsMax)
  // Nearly always there is none, and then there is no transaction either.
  const orphans = await findOrphanedSends(deps.database, owned, { oldBefore, most })
  const settled: OrphanedSend[] = []
  await inHalves(orphans, (some) => settleSome(deps, owned, { oldBefore, some }), {
    done: (_some, marked) => void settled.push(...marked),
    failed: (some, error) => tellUnsettled(deps, some, error),
  })
  return settled
}

/** One that cannot be settled is tried again at the next sweep. */
function tellUnsettled({ observe }: Pick<Deps, 'observe'>, some: readonly Attempt[], error: unknown): void {
  if (!isDataFailure(error)) throw error
  for (const { messageId } of some) observe({ kind: 'send.not_settled', messageId: formatId('msg', messageId), message: faultWords(error) })
}

async function settleSome(
  deps: Deps,
  owned: ReadonlyMap<number, number>,
  { oldBefore, some }: { oldBefore: Date; some: readonly OrphanedSend[] },
): Promise<OrphanedSend[]> {
  const only = some.map((each) => each.messageId)
  // Over all tries: what one marked whose commit was done, and its answer lost, no later try finds, and its people must be held back all the same.
  const found = new Map<Uuid, OrphanedSend>()
  const hints = await deps.database.repeatable(async (tx) => {
    const orphans = await findOrphanedSends(tx, owned, { oldBefore, most: only.length, only })
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
  let count = 0
  await inHalves(lost, (some) => giveUp(deps, some, now), {
    done: (some) => {
      count += some.length
    },
    failed: (some, error) => tellUnsettled(deps, some, error),
  })
  return count
}

async function giveUp(deps: Deps, lost: readonly Attempt[], now: Date): Promise<void> {
  const hints = await deps.database.repeatable(async (tx) => {
    await finishSends(tx, lost)
    return applyMoves(
      tx,
      deps.clock,
      lost.map((each) => ({ accountId: each.accountId, id: each.messageId, move: { kind: 'outcome_stays_unknown', at: now } })),
    )
  })
  deps.wakeDeliveries(hints)
}
