import type { Clock } from '../../base/clock.ts'
import { crashpoint } from '../../base/crashpoint.ts'
import { formatId } from '../../base/id.ts'
import { storable } from '../../base/json.ts'
import type { Unseal } from '../../base/seal.ts'
import type { StrangerClient } from '../../platform/fetch/post-to-stranger.ts'
import type { AttemptRow, DueDelivery } from './delivery-store.ts'
import type { RetryAttempt, WaitingRetry } from './retry-store.ts'
import { afterFailure, chanceOf, isReceived, previousSecretCounts } from './rules.ts'
import { signatureOf } from './sign.ts'
import type { DeliveryMove } from './webhook.ts'

type Deps = { clock: Clock; strangers: Pick<StrangerClient, 'post'>; unseal: Unseal }

/** Something to post: a delivery that is due, or a retry that was asked for. */
export type Claimed = DueDelivery | WaitingRetry

/** What came of it. */
export type Ended = AttemptRow | RetryAttempt

/** Names the sender to receivers; the version is that of the event envelope. */
const userAgent = 'Pombo/1 (webhooks)'

/**
 * Posts a delivery once and says what became of it. Posting twice is possible after a crash and is harmless: the event's id is the same.
 * Rejects only when the attempt could not be made at all. It is signed before this first waits for anything.
 */
export async function deliver(deps: Deps, claimed: Claimed): Promise<Ended> {
  const startedAt = deps.clock.now()
  // rule: delivery 1. The bytes are the event's own, at every attempt the same.
  const answer = await deps.strangers.post({ url: claimed.url, headers: headersOf(deps, claimed, startedAt), body: claimed.body })
  crashpoint('after_delivery')
  const received = isReceived(answer.statusCode)
  const facts = {
    accountId: claimed.accountId,
    deliveryId: claimed.id,
    webhookId: claimed.webhookId,
    startedAt,
    durationMs: Math.round(answer.durationMs),
    statusCode: answer.statusCode,
    error: answer.error,
    // PostgreSQL takes no NUL, and one such answer would refuse a whole batch of results.
    responseHead: String(storable(answer.bodyHead)),
  }
  if ('retryId' in claimed) return { ...facts, retryId: claimed.retryId, received }
  return { ...facts, attempt: claimed.attempt, move: moveOf(claimed, received, deps.clock.now()) }
}

function moveOf(due: DueDelivery, received: boolean, endedAt: Date): DeliveryMove {
  if (received) return { status: 'succeeded', nextAt: null }
  const attempt = due.attempt + 1
  return afterFailure(attempt, endedAt, chanceOf(due.id, attempt))
}

function headersOf({ unseal }: Deps, claimed: Claimed, now: Date): Record<string, string> {
  const { secret, previousSecret, previousSecretUntil } = claimed
  const sealed = [secret, ...(previousSecretCounts(previousSecretUntil, now) && previousSecret ? [previousSecret] : [])]
  const secrets = sealed.map(unseal)
  return {
    'content-type': 'application/json',
    'user-agent': userAgent,
    'service-event-id': formatId('evt', claimed.eventId),
    'service-event-type': claimed.eventType,
    'service-signature': signatureOf(claimed.body, secrets, now),
  }
}
