import type { Clock } from '../../base/clock.ts'
import { crashpoint } from '../../base/crashpoint.ts'
import { formatId } from '../../base/id.ts'
import { storable } from '../../base/json.ts'
import { type SecretKey, unseal } from '../../base/seal.ts'
import type { StrangerClient } from '../../platform/fetch/post-to-stranger.ts'
import type { AttemptRow, DueDelivery } from './delivery-store.ts'
import { afterFailure, chanceOf, isReceived, previousSecretCounts } from './rules.ts'
import { signatureOf } from './sign.ts'
import type { DeliveryMove } from './webhook.ts'

type Deps = { clock: Clock; strangers: Pick<StrangerClient, 'post'>; secretKey: SecretKey }

/** Names the sender to receivers; the version is that of the event envelope. */
const userAgent = 'Pombo/1 (webhooks)'

/**
 * Posts a delivery once and says what became of it. Posting twice is possible after a crash and is harmless: the event's id is the same.
 * Rejects only when the attempt could not be made at all.
 */
export async function deliver(deps: Deps, due: DueDelivery): Promise<AttemptRow> {
  const startedAt = deps.clock.now()
  // rule: delivery 1. The bytes are the event's own, at every attempt the same.
  const answer = await deps.strangers.post({ url: due.url, headers: headersOf(deps, due, startedAt), body: due.body })
  crashpoint('after_delivery')
  return {
    accountId: due.accountId,
    deliveryId: due.id,
    webhookId: due.webhookId,
    attempt: due.attempt,
    startedAt,
    durationMs: Math.round(answer.durationMs),
    statusCode: answer.statusCode,
    error: answer.error,
    // PostgreSQL takes no NUL, and one such answer would refuse a whole batch of results.
    responseHead: String(storable(answer.bodyHead)),
    move: moveOf(due, isReceived(answer.statusCode), deps.clock.now()),
  }
}

function moveOf(due: DueDelivery, received: boolean, endedAt: Date): DeliveryMove {
  if (received) return { status: 'succeeded', nextAt: null }
  const attempt = due.attempt + 1
  return afterFailure(attempt, endedAt, chanceOf(due.id, attempt))
}

function headersOf({ secretKey }: Deps, due: DueDelivery, now: Date): Record<string, string> {
  const sealed = [due.secret, ...(previousSecretCounts(due.previousSecretUntil, now) && due.previousSecret ? [due.previousSecret] : [])]
  const secrets = sealed.map((each) => unseal(secretKey, each))
  return {
    'content-type': 'application/json',
    'user-agent': userAgent,
    'service-event-id': formatId('evt', due.eventId),
    'service-event-type': due.eventType,
    'service-signature': signatureOf(due.body, secrets, now),
  }
}
