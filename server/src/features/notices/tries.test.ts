import { expect, test } from 'vitest'
import { isLastTry, retryDelayMs } from './tries.ts'

const slow = Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014', severity: 'ERROR' })
const triesOf = (because: unknown) => Array.from({ length: 1_000 }, (_, tries) => tries).findIndex((tries) => isLastTry(tries, because)) + 1
const hoursOf = (tries: number) => Array.from({ length: tries - 1 }, (_, n) => retryDelayMs(n)).reduce((sum, ms) => sum + ms, 0) / 3_600_000

// rule: receive 7
test('what fails is tried three times; what only takes too long is tried for about an hour, and not for ever', () => {
  expect(triesOf(new Error('boom'))).toBe(3)
  expect(hoursOf(triesOf(slow))).toBeCloseTo(1, 1)
})
