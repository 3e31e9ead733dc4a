import { describe, expect, test } from 'vitest'
import { manualClock, systemClock } from './clock.ts'

const start = '2026-03-02T12:00:00.000Z'

describe('the manual clock', () => {
  test('stands still until it is advanced', () => {
    const clock = manualClock(start)
    expect(clock.now().toISOString()).toBe(start)
    clock.advance(1_500)
    expect(clock.now().toISOString()).toBe('2026-03-02T12:00:01.500Z')
  })

  test('runs what falls due on the way, in order, each at its own moment', () => {
    const clock = manualClock(start)
    const ran: [string, number][] = []
    const beganMs = clock.monotonicMs()
    const note = (name: string) => () => void ran.push([name, clock.monotonicMs() - beganMs])
    clock.after(200, note('second'))
    clock.after(100, note('first'))
    clock.after(300, note('too late'))
    clock.advance(250)
    expect(ran).toEqual([
      ['first', 100],
      ['second', 200],
    ])
  })

  test('also runs what was asked for by what it ran', () => {
    const clock = manualClock(start)
    let rounds = 0
    const again = () => {
      rounds += 1
      clock.after(100, again)
    }
    clock.after(100, again)
    clock.advance(1_000)
    expect(rounds).toBe(10)
  })

  test('never runs what was cancelled, and nothing twice', () => {
    const clock = manualClock(start)
    let ran = 0
    const cancel = clock.after(10, () => {
      ran += 1
    })
    clock.after(10, () => {
      ran += 10
    })
    cancel()
    clock.advance(10)
    clock.advance(10)
    expect(ran).toBe(10)
  })
})

describe('the system clock', () => {
  test('is corrected by the measured difference, while monotonic time is not', () => {
    const clock = systemClock()
    const before = clock.monotonicMs()
    clock.correctBy(3_600_000)
    expect(clock.now().getTime() - Date.now()).toBeGreaterThan(3_590_000)
    expect(clock.monotonicMs() - before).toBeLessThan(60_000)
  })

  test('waits at least as long as told even for longer than a timer can hold', async () => {
    const clock = systemClock()
    let early = false
    const cancel = clock.after(2 ** 40, () => {
      early = true
    })
    await new Promise<void>((resolve) => {
      clock.after(5, resolve)
      // The clock's own timers keep no process alive; this one does.
      setTimeout(() => {}, 50)
    })
    cancel()
    expect(early).toBe(false)
  })
})
