import type { Clock } from '../../base/clock.ts'
import { lowestUuidAt, newUuid, type Uuid } from '../../base/id.ts'
import { because, type Refusal, refusal } from '../../base/refusal.ts'
import { ok, type Result, refused } from '../../base/result.ts'
import { limits } from '../../limits.ts'
import type { Database } from '../../platform/database/database.ts'
import { shardOf } from '../../platform/lanes/shard.ts'
import { bumpForRetries, findFailed, insertPacedRetries } from './retry-store.ts'
import { lockWebhook } from './store.ts'
import type { DeliveryHint } from './webhook.ts'

type Deps = { database: Database; clock: Clock; wakeDeliveries: (hints: readonly DeliveryHint[]) => void }

/** Rows that one transaction queues, so that none holds the webhook's lock for long. */
const queuedAtOnceMax = 1_000
/** One call looks at no more than 100,000 failed deliveries; whoever has more asks again. */
const batchesMax = 100
const lowest = '00000000-0000-0000-0000-000000000000' as Uuid

/**
 * rule: delivery 11. Queues a retry of every delivery of a webhook that was made at `since` or later and has failed, oldest first, and answers how
 * many. Outside of the count of single retries; they are made one at a time, in what deliveries leave free.
 */
export async function retryFailed(deps: Deps, input: { accountId: Uuid; webhookId: Uuid; since: Date }): Promise<Result<number, Refusal>> {
  const lane = { accountId: input.accountId, webhookId: input.webhookId, shard: shardOf(input.accountId, input.webhookId) }
  let retried = 0
  let after = lowest
  for (let batch = 0; batch < batchesMax; batch += 1) {
    const queued = await queueBatch(deps, lane, { from: lowestUuidAt(input.since), after })
    // Later on a webhook that is closed meanwhile is no refusal: what was queued so far is.
    if (!queued.ok) return batch === 0 ? queued : ok(retried)
    retried += queued.value.count
    if (queued.value.count > 0) deps.wakeDeliveries([{ ...lane, hasRetries: true }])
    if (queued.value.last === null) break
    after = queued.value.last
  }
  return ok(retried)
}

/** `last`: where the next batch goes on; null: there is none. */
type Batch = { count: number; last: Uuid | null }

async function queueBatch(
  { database, clock }: Deps,
  lane: DeliveryHint,
  { from, after }: { from: Uuid; after: Uuid },
): Promise<Result<Batch, Refusal>> {
  const now = clock.now()
  return database.transaction(async (tx) => {
    const webhook = await lockWebhook(tx, lane.accountId, lane.webhookId)
    if (webhook === null) return refused(refusal('not_found', because('no_webhook', 'There is no webhook with this id.')))
    if (!webhook.enabled) return refused(refusal('conflict', because('webhook_off', 'The webhook is disabled. Enable it first.')))
    const failed = await findFailed(tx, lane, { from, after, attemptsBelow: limits.webhookAttemptsMax, limit: queuedAtOnceMax })
    if (failed.length === 0) return ok({ count: 0, last: null })
    const retries = failed.map((deliveryId) => ({ id: newUuid(now), deliveryId }))
    const count = await insertPacedRetries(tx, lane, retries)
    await bumpForRetries(tx, lane, now)
    return ok({ count, last: failed.length < queuedAtOnceMax ? null : (failed.at(-1) ?? null) })
  })
}
