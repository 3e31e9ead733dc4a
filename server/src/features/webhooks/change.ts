import type { Clock } from '../../base/clock.ts'
import { lowestUuidAt, type Uuid } from '../../base/id.ts'
import { because, invalidField, type Refusal, refusal } from '../../base/refusal.ts'
import { ok, type Result, refused } from '../../base/result.ts'
import { limits } from '../../limits.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import type { StrangerPolicy } from '../../platform/fetch/stranger-policy.ts'
import { checkStrangerUrl } from '../../platform/fetch/stranger-url.ts'
import { shardOf } from '../../platform/lanes/shard.ts'
import { cancelPending } from './delivery-store.ts'
import { bumpLanes } from './event-store.ts'
import { lockLanes } from './lane-store.ts'
import { canceledAtOnceMax } from './settle.ts'
import { findWebhook, lockWebhook, updateWebhook, type WebhookChange } from './store.ts'
import type { DeliveryHint, Webhook } from './webhook.ts'

type Deps = { database: Database; clock: Clock; policy: StrangerPolicy; wakeDeliveries: (hints: readonly DeliveryHint[]) => void }

/** What has waited too long is canceled in batches, so that no transaction holds its locks for long; beyond 100,000 it is delivered after all. */
const batchesMax = 100

/**
 * Changes what is named of a webhook, and answers it. Refused: an address that may not be called, a webhook that the account does not have.
 *
 * rule: delivery 14. Of the events that commit while it is disabled none is recorded for it. Enabled again it goes on with what was pending,
 * but for what is too old by now.
 */
export async function changeWebhook(
  deps: Deps,
  { accountId, id, change }: { accountId: Uuid; id: Uuid; change: WebhookChange },
): Promise<Result<Webhook, Refusal>> {
  const url = change.url === undefined ? ok(null) : checkStrangerUrl(change.url, deps.policy)
  if (!url.ok) return refused(invalidField('url', because('url_wrong', url.refusal)))
  const lane = { accountId, webhookId: id, shard: shardOf(accountId, id) }
  for (let batch = 1; ; batch += 1) {
    const changed = await deps.database.repeatable((tx) => write(tx, lane, { change, now: deps.clock.now(), isLast: batch === batchesMax }))
    if (changed === 'again') continue
    if (changed === null) return refused(refusal('not_found', because('no_webhook', 'There is no webhook with this id.')))
    if (change.enabled === true) deps.wakeDeliveries([{ ...lane, hasRetries: true }])
    return ok(changed)
  }
}

/** `again`: a batch was canceled, there may be more, and nothing is changed yet. Null: the account has no such webhook. */
async function write(
  tx: Tx,
  lane: DeliveryHint,
  { change, now, isLast }: { change: WebhookChange; now: Date; isLast: boolean },
): Promise<Webhook | 'again' | null> {
  const { accountId, webhookId } = lane
  if (Object.keys(change).length === 0) return findWebhook(tx, accountId, webhookId)
  const before = await lockWebhook(tx, accountId, webhookId)
  if (before === null) return null
  if (change.enabled !== true || before.enabled) return updateWebhook(tx, lane, change)
  // The lane before its deliveries, in the order of whoever settles it.
  await lockLanes(tx, [lane])
  const below = lowestUuidAt(new Date(now.getTime() - limits.webhookPendingMsMax))
  if ((await cancelPending(tx, lane, { below, limit: canceledAtOnceMax })) === canceledAtOnceMax && !isLast) return 'again'
  const webhook = await updateWebhook(tx, lane, change)
  // Its owner had put the lane off for as long as the webhook was disabled.
  await bumpLanes(tx, [lane], now)
  return webhook
}
