import { describe, expect, test } from 'vitest'
import { newUuid } from '../../base/id.ts'
import { limits } from '../../limits.ts'
import { afterFailure, chanceOf, isReceived, previousSecretCounts, slots, slotsAfter, wantsEvent } from './rules.ts'

const minuteMs = 60_000
const endedAt = new Date('2026-03-02T12:00:00.000Z')

function delayMsAfter(attempt: number, chance: number): number | null {
  const { nextAt } = afterFailure(attempt, endedAt, chance)
  return nextAt === null ? null : nextAt.getTime() - endedAt.getTime()
}

describe('which webhooks are told', () => {
  test('a webhook is told of the kinds that it names and of no other', () => {
    expect(wantsEvent(['message.sent', 'message.read'], 'message.read')).toBe(true)
    expect(wantsEvent(['message.sent', 'message.read'], 'message.failed')).toBe(false)
  })

  // rule: delivery 7
  test('a star, alone or among others, stands for every kind', () => {
    expect(wantsEvent(['*'], 'channel.updated')).toBe(true)
    expect(wantsEvent(['message.sent', '*'], 'message.edited')).toBe(true)
  })
})

describe('the ladder', () => {
  // rule: delivery 2
  test('without jitter the delays are 1, 5, 25, 120 and 600 minutes, and the sixth failure is the last', () => {
    expect([1, 2, 3, 4, 5, 6].map((attempt) => delayMsAfter(attempt, 0))).toEqual([
      minuteMs,
      5 * minuteMs,
      25 * minuteMs,
      120 * minuteMs,
      600 * minuteMs,
      null,
    ])
    expect(afterFailure(6, endedAt, 0)).toEqual({ status: 'failed', nextAt: null })
  })

  test('jitter only delays, by less than 2 % and never more than 30 s', () => {
    expect(delayMsAfter(1, 0.999)).toBe(minuteMs + 1_198)
    expect(delayMsAfter(5, 0.999)).toBe(600 * minuteMs + 29_970)
  })

  test('the jitter of a delivery is the same when computed again, and another at its next attempt', () => {
    const id = newUuid(endedAt)
    expect(chanceOf(id, 1)).toBe(chanceOf(id, 1))
    expect(chanceOf(id, 1)).not.toBe(chanceOf(id, 2))
    const chances = Array.from({ length: 2_000 }, () => chanceOf(newUuid(endedAt), 3))
    expect(Math.min(...chances)).toBeGreaterThanOrEqual(0)
    expect(Math.max(...chances)).toBeLessThan(1)
    const mean = chances.reduce((sum, each) => sum + each, 0) / chances.length
    expect(mean).toBeGreaterThan(0.45)
    expect(mean).toBeLessThan(0.55)
  })

  // rule: delivery 2
  test('only 2xx counts as received: a redirect, an error and no answer do not', () => {
    expect([200, 201, 204, 299].every(isReceived)).toBe(true)
    expect([null, 101, 199, 300, 301, 304, 400, 410, 429, 500].some(isReceived)).toBe(false)
  })
})

test('the previous secret signs until its moment, and not at it', () => {
  expect(previousSecretCounts(null, endedAt)).toBe(false)
  expect(previousSecretCounts(new Date(endedAt.getTime() + 1), endedAt)).toBe(true)
  expect(previousSecretCounts(endedAt, endedAt)).toBe(false)
})

describe('slots', () => {
  test('a webhook that fails falls to one slot within three failures and never below', () => {
    expect([8, 4, 2, 1].map((held) => slotsAfter(held, false))).toEqual([4, 2, 1, 1])
  })

  test('a webhook that answers climbs back by one an answer, up to eight', () => {
    expect([1, 7, 8].map((held) => slotsAfter(held, true))).toEqual([2, 8, 8])
  })

  test('the webhooks of one account together can never hold more than half of the process', () => {
    expect(limits.webhooksMax * slots.ofWebhook).toBeLessThanOrEqual(slots.ofProcess / 2)
  })
})
