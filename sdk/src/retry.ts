import type { PomboError } from './error.ts'

const firstDelayMs = 500
const delayMsMax = 8_000
/** Whoever is told to wait for longer is better told so at once. */
const retryAfterSecondsMax = 60
/** Callers that were held up together do not come back together. */
const spreadMs = 1_000

export type AttemptFacts = {
  /** How many attempts were made, this one included. */
  attempts: number
  retries: number
  /** Whether making the call twice does what making it once does. */
  repeatable: boolean
  /** What is left of the call's time. */
  remainingMs: number
  /** From 0 to 1. */
  random: number
}

/** How long to wait before the next attempt; null when there is to be none. Pure. */
export function retryDelayMs(failure: PomboError, facts: AttemptFacts): number | null {
  if (facts.attempts > facts.retries || !mayRepeat(failure, facts.repeatable)) return null
  const delayMs = failure.retryAfter === null ? backoffMs(facts) : failure.retryAfter * 1000 + facts.random * spreadMs
  const tooLong = failure.retryAfter !== null && failure.retryAfter > retryAfterSecondsMax
  return tooLong || delayMs >= facts.remainingMs ? null : delayMs
}

/** 429 is safe for every operation: the gateway refuses before it does anything. Of all else nobody knows how far it came. */
function mayRepeat({ code, status }: PomboError, repeatable: boolean): boolean {
  if (status === 429) return true
  if (!repeatable) return false
  return status === null ? code === 'connection_failed' || code === 'timeout' : status >= 500
}

/** Doubles with every attempt, and lies anywhere in its upper half. */
function backoffMs({ attempts, random }: AttemptFacts): number {
  return Math.min(firstDelayMs * 2 ** (attempts - 1), delayMsMax) * (0.5 + random / 2)
}
