import type { Clock } from '../../base/clock.ts'
import type { Uuid } from '../../base/id.ts'
import { because, type Refusal, refusal } from '../../base/refusal.ts'
import { ok, type Result, refused } from '../../base/result.ts'
import type { Database } from '../../platform/database/database.ts'
import { shardOf } from '../../platform/lanes/shard.ts'
import { cancelPending, type LaneKey } from './delivery-store.ts'
import { bumpLanes } from './event-store.ts'
import { canceledAtOnceMax, highestUuid } from './settle.ts'
import { deleteWebhook } from './store.ts'
import type { DeliveryHint } from './webhook.ts'

type Deps = { database: Database; clock: Clock; wakeDeliveries: (hints: readonly DeliveryHint[]) => void }

/** The caller does not wait for more than this; the owner of the lane cancels the rest. */
const batchesMax = 10

/**
 * rule: delivery 6. Removes a webhook: nothing more is taken for it once it has committed, and its pending deliveries become canceled. Many are canceled in several transactions, so
 * that none holds its locks for long. The lane is made due, and its owner, who finds no webhook to it, finishes what a crash or a
 * great number left over.
 */
export async function removeWebhook(deps: Deps, input: { accountId: Uuid; id: Uuid }): Promise<Result<null, Refusal>> {
  const { database, clock } = deps
  const lane = { accountId: input.accountId, webhookId: input.id, shard: shardOf(input.accountId, input.id) }
  const removed = await database.transaction(async (tx) => {
    if (!(await deleteWebhook(tx, lane.accountId, lane.webhookId))) return false
    await bumpLanes(tx, [lane], clock.now())
    return true
  })
  if (!removed) return refused(refusal('not_found', because('no_webhook', 'There is no webhook with this id.')))
  await cancelWaiting(database, lane)
  deps.wakeDeliveries([lane])
  return ok(null)
}

async function cancelWaiting(database: Database, lane: LaneKey): Promise<void> {
  for (let batch = 0; batch < batchesMax; batch += 1) {
    const canceled = await database.repeatable((tx) => cancelPending(tx, lane, { below: highestUuid, limit: canceledAtOnceMax }))
    if (canceled < canceledAtOnceMax) return
  }
}
