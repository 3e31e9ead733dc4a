import { present } from '../../base/assert.ts'
import type { Clock } from '../../base/clock.ts'
import { newUuid, type Uuid } from '../../base/id.ts'
import type { JsonText } from '../../base/json.ts'
import { because, type Refusal, refusal } from '../../base/refusal.ts'
import { ok, type Result, refused } from '../../base/result.ts'
import { limits } from '../../limits.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import { shardOf } from '../../platform/lanes/shard.ts'
import type { LaneKey } from './delivery-store.ts'
import { deliveryRecords } from './history.ts'
import { type Delivery, findDelivery } from './history-store.ts'
import { bumpForRetries, insertRetry } from './retry-store.ts'
import { oneMoreRetry, secondsLeft } from './rules.ts'
import { lockWebhook, setRetryWindow } from './store.ts'
import type { DeliveryHint, RetryWindow } from './webhook.ts'

type Deps = { database: Database; clock: Clock; wakeDeliveries: (hints: readonly DeliveryHint[]) => void }

/** `retryAfterSeconds`: only where too many were asked for. */
export type RetryRefusal = Refusal & { retryAfterSeconds?: number }

/**
 * rule: delivery 10. Queues one more attempt of a delivery, whatever became of it, and answers the record as it is now. The attempt is made
 * at once by the owner of the webhook's lane, and after a crash by the next one.
 */
export async function retryDelivery(
  deps: Deps,
  input: { accountId: Uuid; webhookId: Uuid; deliveryId: Uuid },
): Promise<Result<JsonText, RetryRefusal>> {
  const lane = { ...input, shard: shardOf(input.accountId, input.webhookId) }
  const now = deps.clock.now()
  const queued = await deps.database.transaction(async (tx) => {
    const found = await findRetriable(tx, lane, { deliveryId: input.deliveryId, now })
    if (!found.ok) return found
    await insertRetry(tx, lane, { id: newUuid(now), deliveryId: input.deliveryId })
    await setRetryWindow(tx, lane.accountId, lane.webhookId, found.value.window)
    const [record] = await deliveryRecords(tx, [found.value.delivery])
    await bumpForRetries(tx, lane, now)
    return ok(present(record, 'one for each delivery'))
  })
  if (queued.ok) deps.wakeDeliveries([{ ...lane, hasRetries: true }])
  return queued
}

type Retriable = { delivery: Delivery; window: RetryWindow }

/** Looks under the lock on the webhook, which everyone who asks for a retry takes: so two can neither queue the same delivery nor overfill the window. */
async function findRetriable(
  tx: Tx,
  lane: LaneKey,
  { deliveryId, now }: { deliveryId: Uuid; now: Date },
): Promise<Result<Retriable, RetryRefusal>> {
  const webhook = await lockWebhook(tx, lane.accountId, lane.webhookId)
  if (webhook === null) return refused(refusal('not_found', because('no_webhook', 'There is no webhook with this id.')))
  const found = await findDelivery(tx, lane, deliveryId)
  if (found === null) return refused(refusal('not_found', because('no_delivery', 'The webhook has no delivery with this id.')))
  if (!webhook.enabled) return refused(refusal('conflict', because('webhook_off', 'The webhook is disabled. Enable it first.')))
  if (found.retryWaits) return refused(refusal('conflict', because('retry_waits', 'A retry of this delivery is waiting or under way.')))
  if (found.delivery.attempts >= limits.webhookAttemptsMax)
    return refused(
      refusal(
        'conflict',
        because('tried_enough', `The delivery was tried ${found.delivery.attempts} times, which is the most.`, {
          times: found.delivery.attempts,
        }),
      ),
    )
  const window = oneMoreRetry(webhook.window, now)
  return window === null ? refused(tooMany(secondsLeft(webhook.window, now))) : ok({ delivery: found.delivery, window })
}

function tooMany(retryAfterSeconds: number): RetryRefusal {
  const words = `Too many retries: ${limits.webhookRetriesPerMinuteMax} a minute are allowed for a webhook. Try again in ${retryAfterSeconds} seconds.`
  return { ...refusal('rate_limited', because('retries_full', words, { seconds: retryAfterSeconds })), retryAfterSeconds }
}
