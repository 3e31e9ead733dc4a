import { present } from '../../base/assert.ts'
import type { Clock } from '../../base/clock.ts'
import { newUuid, type Uuid } from '../../base/id.ts'
import type { JsonText } from '../../base/json.ts'
import { because, type Refusal, refusal } from '../../base/refusal.ts'
import { ok, type Result, refused } from '../../base/result.ts'
import type { Database } from '../../platform/database/database.ts'
import { shardOf } from '../../platform/lanes/shard.ts'
import { channelsOf } from '../channels/public.ts'
import { eventBody } from './event.ts'
import { bumpLanes, insertEvents } from './event-store.ts'
import { deliveryRecords } from './history.ts'
import { findDelivery } from './history-store.ts'
import { sampleMessage } from './sample.ts'
import { lockWebhook } from './store.ts'
import type { DeliveryHint } from './webhook.ts'

type Deps = { database: Database; clock: Clock; wakeDeliveries: (hints: readonly DeliveryHint[]) => void }

const type = 'message.received'

/**
 * rule: delivery 15. Tells one webhook of a message that nobody has sent, whatever kinds it asks for, and answers the record of the delivery. It
 * takes the way of every event: signed, repeated on the ladder, and kept in the history.
 */
export async function sendSample(deps: Deps, { accountId, id }: { accountId: Uuid; id: Uuid }): Promise<Result<JsonText, Refusal>> {
  const lane = { accountId, webhookId: id, shard: shardOf(accountId, id) }
  const now = deps.clock.now()
  const sent = await deps.database.transaction(async (tx) => {
    const webhook = await lockWebhook(tx, accountId, id)
    if (webhook === null) return refused(refusal('not_found', because('no_webhook', 'There is no webhook with this id.')))
    if (!webhook.enabled) return refused(refusal('conflict', because('webhook_off', 'The webhook is disabled. Enable it first.')))
    const [channel] = (await channelsOf(tx, [accountId])).get(accountId) ?? []
    const event = { accountId, id: newUuid(now), type, livemode: false, data: sampleMessage(now, channel?.id ?? null) } as const
    const delivery = { accountId, id: newUuid(now), webhookId: id, eventId: event.id, type } as const
    await insertEvents(tx, [{ ...event, subject: null, body: eventBody(event, { id: event.id, createdAt: now }) }], [delivery], now)
    const written = present(await findDelivery(tx, lane, delivery.id), 'it was written above')
    const [record] = await deliveryRecords(tx, [written.delivery])
    await bumpLanes(tx, [lane], now)
    return ok(present(record, 'one for each delivery'))
  })
  if (sent.ok) deps.wakeDeliveries([lane])
  return sent
}
