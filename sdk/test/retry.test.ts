import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ErrorFacts, PomboError } from '../src/error.ts'
import { type AttemptFacts, retryDelayMs } from '../src/retry.ts'

const failure = (facts: Partial<ErrorFacts>) =>
  new PomboError('it failed', {
    ...{ code: 'internal_error', status: 500, requestId: null, details: [], retryAfter: null, idempotencyKey: null },
    ...facts,
  })
const first: AttemptFacts = { attempts: 1, retries: 2, repeatable: true, remainingMs: 600_000, random: 1 }
const unreached = failure({ code: 'connection_failed', status: null })
const limited = (retryAfter: number | null) => failure({ code: 'rate_limited', status: 429, retryAfter })

describe('whether a call is made again', () => {
  test.each([
    ['a connection that failed', unreached],
    ['an attempt that took too long', failure({ code: 'timeout', status: null })],
    ['500', failure({})],
    ['502 of something in front', failure({ code: 'unexpected_answer', status: 502 })],
    ['503', failure({ status: 503 })],
  ])('after %s only where repeating is safe', (_what, error) => {
    expect(retryDelayMs(error, first)).not.toBeNull()
    expect(retryDelayMs(error, { ...first, repeatable: false })).toBeNull()
  })

  test('after 429 always: it was refused before anything was done', () => {
    expect(retryDelayMs(limited(3), { ...first, repeatable: false })).not.toBeNull()
  })

  test.each([400, 401, 402, 403, 404, 409, 422])('never after %i', (status) => {
    expect(retryDelayMs(failure({ code: 'invalid_request', status }), first)).toBeNull()
  })

  test('never for an answer that nobody understands', () => {
    expect(retryDelayMs(failure({ code: 'unexpected_answer', status: 200 }), first)).toBeNull()
    expect(retryDelayMs(failure({ code: 'unexpected_answer', status: 302 }), first)).toBeNull()
  })

  test('as often as was asked, and not once more', () => {
    expect(retryDelayMs(unreached, { ...first, attempts: 2 })).not.toBeNull()
    expect(retryDelayMs(unreached, { ...first, attempts: 3 })).toBeNull()
    expect(retryDelayMs(unreached, { ...first, retries: 0 })).toBeNull()
  })

  test('not when the time of the call would be over by then', () => {
    expect(retryDelayMs(unreached, { ...first, remainingMs: 500 })).toBeNull()
    expect(retryDelayMs(unreached, { ...first, remainingMs: 501 })).toBe(500)
  })
})

describe('how long it waits', () => {
  test('twice as long each time, somewhere in the upper half, and never more than 8 seconds', () => {
    const delays = [1, 2, 3, 4, 5, 6].map((attempts) => retryDelayMs(unreached, { ...first, attempts, retries: 10 }))
    expect(delays).toEqual([500, 1000, 2000, 4000, 8000, 8000])
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10 }), fc.double({ min: 0, max: 1, noNaN: true }), (attempts, random) => {
        const longest = retryDelayMs(unreached, { ...first, attempts, retries: 10 }) ?? 0
        const delay = retryDelayMs(unreached, { ...first, attempts, retries: 10, random }) ?? 0
        expect(delay).toBeGreaterThanOrEqual(longest / 2)
        expect(delay).toBeLessThanOrEqual(longest)
      }),
    )
  })

  test('as long as Retry-After says, or up to a second longer, so that those who were held up do not come back together', () => {
    expect(retryDelayMs(limited(7), { ...first, random: 0 })).toBe(7000)
    expect(retryDelayMs(limited(7), first)).toBe(8000)
    expect(retryDelayMs(limited(0), { ...first, random: 0 })).toBe(0)
  })

  test('a minute at most: who must wait longer is told so at once', () => {
    expect(retryDelayMs(limited(60), first)).toBe(61_000)
    expect(retryDelayMs(limited(61), first)).toBeNull()
  })

  test('after a 429 that does not say, as after any failure', () => {
    expect(retryDelayMs(limited(null), first)).toBe(500)
  })
})
