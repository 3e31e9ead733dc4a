import type { Uuid } from '../../base/id.ts'
import { limits } from '../../limits.ts'
import type { EventKind } from './event.ts'
import type { DeliveryMove, RetryWindow, WantedEvent } from './webhook.ts'

/** Says whether a webhook that asked for `events` is told of this kind. */
export function wantsEvent(events: readonly WantedEvent[], type: EventKind): boolean {
  // rule: delivery 7. `*` stands for all kinds.
  return events.some((each) => each === '*' || each === type)
}

/** Says whether an answer's status counts as received; null is no answer at all. */
export function isReceived(statusCode: number | null): boolean {
  // rule: delivery 2. A redirect is not followed, so it is no success either.
  return statusCode !== null && statusCode >= 200 && statusCode <= 299
}

/**
 * What becomes of a delivery whose automatic attempt number `attempt`, counted from 1, ended in failure at `endedAt`. `chance`, in [0, 1),
 * spreads the next attempt: only ever later, so that the contract's delays are kept.
 */
export function afterFailure(attempt: number, endedAt: Date, chance: number): DeliveryMove {
  // rule: delivery 2. Each delay counts from the end of the attempt before it.
  const delayMs = limits.webhookRetryDelaysMs[attempt - 1]
  if (delayMs === undefined) return { status: 'failed', nextAt: null }
  const jitterMsMax = Math.min(delayMs * limits.webhookJitterMax, limits.webhookJitterMsMax)
  return { status: 'pending', nextAt: new Date(endedAt.getTime() + delayMs + Math.floor(jitterMsMax * chance)) }
}

/**
 * A number in [0, 1) for the jitter of one attempt of one delivery, from the random bits of its id: the same again after a crash, and
 * different from attempt to attempt.
 */
export function chanceOf(deliveryId: Uuid, attempt: number): number {
  const bits = Number.parseInt(deliveryId.slice(-12), 16)
  // Below 2^53 for up to 15 attempts, so the product is exact.
  return ((bits * (2 * attempt + 1)) % 2 ** 48) / 2 ** 48
}

/** Says whether the secret before the present one still signs too, so that a customer can change over without a gap. */
export function previousSecretCounts(previousUntil: Date | null, now: Date): boolean {
  return previousUntil !== null && previousUntil > now
}

/** The window with one more retry in it; null when it is full. */
export function oneMoreRetry({ startedAt, retries }: RetryWindow, now: Date): RetryWindow | null {
  // rule: delivery 10
  if (startedAt === null || now.getTime() - startedAt.getTime() >= limits.rateWindowMs) return { startedAt: now, retries: 1 }
  return retries < limits.webhookRetriesPerMinuteMax ? { startedAt, retries: retries + 1 } : null
}

/** Whole seconds, 1 to 60, until a window that is full ends. */
export function secondsLeft({ startedAt }: RetryWindow, now: Date): number {
  const leftMs = startedAt === null ? 0 : startedAt.getTime() + limits.rateWindowMs - now.getTime()
  return Math.min(limits.rateWindowMs / 1_000, Math.max(1, Math.ceil(leftMs / 1_000)))
}

/**
 * How long after it was asked for, what a claim says of secrets may still be signed with. A rotation answers only after this long, so
 * that no attempt that starts after the answer is signed with what was read before it; claims need no lock for that.
 */
export const claimUsableMs = 1_000

/**
 * Attempts under way at once: of the process, of its paced retries together, of the webhooks that fail together, and of one webhook
 * that answers well.
 */
export const slots = { ofProcess: 256, ofPacedRetries: 32, ofFailing: 128, ofWebhook: 8 } as const

/**
 * Attempts that webhooks which fail may begin together in one look at the lanes, some 200 a second: a thousand dead ones with a million
 * waiting would else keep the machine busy with refusals, and those that answer would wait behind them.
 */
export const failingStartsMax = 2

/**
 * How many attempts at once a webhook may have after an attempt of it. A dead one falls to a single attempt within three failures, so that
 * receivers that hang hold few slots for their ten seconds; one that answers is back at eight within seven answers.
 */
export function slotsAfter(held: number, received: boolean): number {
  return received ? Math.min(slots.ofWebhook, held + 1) : Math.max(1, Math.floor(held / 2))
}
