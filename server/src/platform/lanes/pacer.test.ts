import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createPacer, type Pacer } from './pacer.ts'

/** Starts as fast as the pacer allows, each timer firing late by what `lateMs` says; answers the moments of the starts. */
function startAll(pacer: Pacer, count: number, options: { fromMs: number; lateMs: (n: number) => number }): number[] {
  const starts: number[] = []
  let nowMs = options.fromMs
  for (let n = 0; n < count; n += 1) {
    if (pacer.readyAt() > nowMs) nowMs = pacer.readyAt() + options.lateMs(n)
    pacer.take(nowMs)
    starts.push(nowMs)
  }
  return starts
}

/** The most starts in any window of a second. */
function mostInASecond(starts: readonly number[]): number {
  let most = 0
  let first = 0
  starts.forEach((at, i) => {
    while (at - (starts[first] ?? 0) >= 1_000) first += 1
    most = Math.max(most, i - first + 1)
  })
  return most
}

const noSlowStart = 0
const jitters = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: fc.double({ min: 0, max: 5, noNaN: true }) },
    { weight: 1, arbitrary: fc.double({ min: 0, max: 2_500, noNaN: true }) },
  ),
  {
    minLength: 1,
    maxLength: 60,
  },
)

describe('the pace', () => {
  // rule: queue 5
  test('is never exceeded in any second, however late timers fire and however long it was quiet', () => {
    fc.assert(
      fc.property(jitters, fc.constantFrom(1, 20, 50), (jitter, perSecond) => {
        const pacer = createPacer(perSecond, 0, noSlowStart)
        const starts = startAll(pacer, 400, { fromMs: 0, lateMs: (n) => jitter[n % jitter.length] ?? 0 })
        expect(mostInASecond(starts)).toBeLessThanOrEqual(perSecond)
      }),
      { numRuns: 60 },
    )
  })

  // rule: queue 5
  test('is never exceeded by what really leaves, however long each start is prepared', () => {
    fc.assert(
      fc.property(jitters, fc.constantFrom(1, 20, 50), (jitter, perSecond) => {
        const pacer = createPacer(perSecond, 0, noSlowStart)
        const left: number[] = []
        let nowMs = 0
        for (let n = 0; n < 400; n += 1) {
          nowMs = Math.max(nowMs, pacer.readyAt())
          const takenMs = nowMs
          pacer.take(takenMs)
          // One look prepares what it has taken before the next begins.
          nowMs += jitter[n % jitter.length] ?? 0
          pacer.left(takenMs, nowMs)
          left.push(nowMs)
        }
        expect(mostInASecond(left)).toBeLessThanOrEqual(perSecond)
      }),
      { numRuns: 60 },
    )
  })

  test.each([0, 1, 2, 3])('1,000 starts take 20 seconds with timers that fire %i ms late', (late) => {
    const starts = startAll(createPacer(50, 0, noSlowStart), 1_000, { fromMs: 0, lateMs: () => late })
    expect(starts.at(-1)).toBeGreaterThan(19_600)
    expect(starts.at(-1)).toBeLessThan(20_400)
  })

  test('a lone start after a quiet time may leave at once', () => {
    const pacer = createPacer(50, 0, noSlowStart)
    pacer.take(0)
    expect(pacer.readyAt()).toBeLessThanOrEqual(20)
    pacer.take(60_000)
    expect(pacer.readyAt()).toBeLessThanOrEqual(60_020)
  })

  test('makes up for at most two starts, so that there is never a burst', () => {
    const pacer = createPacer(50, 0, noSlowStart)
    const starts = startAll(pacer, 10, { fromMs: 10_000, lateMs: () => 0 })
    expect(starts.filter((at) => at === 10_000).length).toBeLessThanOrEqual(3)
  })

  test('follows a number that changes its kind, down and up', () => {
    const pacer = createPacer(50, 0, noSlowStart)
    const fast = startAll(pacer, 100, { fromMs: 0, lateMs: () => 1 })
    pacer.limitTo(20)
    const slow = startAll(pacer, 60, { fromMs: fast.at(-1) ?? 0, lateMs: () => 1 })
    expect(mostInASecond(slow)).toBeLessThanOrEqual(20)
    pacer.limitTo(50)
    const again = startAll(pacer, 150, { fromMs: slow.at(-1) ?? 0, lateMs: () => 1 })
    expect(mostInASecond([...slow, ...again])).toBeLessThanOrEqual(50)
  })
})

describe('a takeover', () => {
  test('starts at half pace for a second', () => {
    const starts = startAll(createPacer(50, 0, 1_000), 100, { fromMs: 0, lateMs: () => 0 })
    const inFirstSecond = starts.filter((at) => at < 1_000).length
    expect(inFirstSecond).toBeGreaterThanOrEqual(24)
    expect(inFirstSecond).toBeLessThanOrEqual(26)
  })

  test('never makes two owners together exceed the pace by more than a start', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 60, max: 200 }),
        fc.double({ min: 0, max: 20, noNaN: true }),
        fc.double({ min: 0, max: 3, noNaN: true }),
        (before, pauseMs, late) => {
          const first = startAll(createPacer(50, 0, noSlowStart), before, { fromMs: 0, lateMs: () => late })
          const takenMs = (first.at(-1) ?? 0) + pauseMs
          const second = startAll(createPacer(50, takenMs, takenMs + 1_000), 120, { fromMs: takenMs, lateMs: () => late })
          expect(mostInASecond([...first, ...second])).toBeLessThanOrEqual(51)
        },
      ),
      { numRuns: 60 },
    )
  })
})

describe('a halved pace', () => {
  const rate = (starts: readonly number[]) => ((starts.length - 1) * 1_000) / ((starts.at(-1) ?? 0) - (starts[0] ?? 0))

  test('is half at once and climbs back by one a second each second', () => {
    const pacer = createPacer(50, 0, noSlowStart)
    const before = startAll(pacer, 100, { fromMs: 0, lateMs: () => 0 })
    const halvedMs = before.at(-1) ?? 0
    pacer.halve(halvedMs)
    const after = startAll(pacer, 1_500, { fromMs: halvedMs, lateMs: () => 0 }).map((at) => at - halvedMs)
    const second = (n: number) => after.filter((at) => at >= n * 1_000 && at < (n + 1) * 1_000).length
    expect(second(1)).toBeGreaterThanOrEqual(25)
    expect(second(1)).toBeLessThanOrEqual(28)
    expect(second(11)).toBeGreaterThanOrEqual(35)
    expect(second(11)).toBeLessThanOrEqual(38)
    expect(second(30)).toBeGreaterThanOrEqual(49)
  })

  test('never falls below one a second', () => {
    const pacer = createPacer(50, 0, noSlowStart)
    for (let n = 0; n < 20; n += 1) pacer.halve(n * 2_000)
    expect(rate(startAll(pacer, 3, { fromMs: 40_000, lateMs: () => 0 }))).toBeGreaterThanOrEqual(0.9)
  })
})
