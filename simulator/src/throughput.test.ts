import { expect, test } from 'vitest'
import { createPairGate, createThroughputGate } from './throughput.ts'

function manualClock() {
  const clock = { ms: 0, nowMs: () => clock.ms, monotonicMs: () => clock.ms }
  return clock
}

test('no window of one second, wherever it begins, lets more than the limit pass', () => {
  const clock = manualClock()
  const gate = createThroughputGate(clock, () => 5)
  const passedMs: number[] = []
  for (; clock.ms < 5000; clock.ms += 70) for (let i = 0; i < 3; i += 1) if (gate.pass('a')) passedMs.push(clock.ms)
  for (const fromMs of passedMs) expect(passedMs.filter((each) => each >= fromMs && each < fromMs + 1000).length).toBeLessThanOrEqual(5)
  expect(passedMs.length).toBeGreaterThanOrEqual(20)
})

test('numbers do not share their throughput, and what comes in counts', () => {
  const gate = createThroughputGate(manualClock(), () => 2)
  gate.count('a')
  expect([gate.pass('a'), gate.pass('a'), gate.pass('b'), gate.pass('b'), gate.pass('b')]).toEqual([true, false, true, true, false])
})

test('a pair may burst, must then pay back, and gets its burst again after a rest', () => {
  const clock = manualClock()
  const gate = createPairGate(clock, { perMessageMs: 6000, burst: 3 })
  const passes = () => [gate.pass('a'), gate.pass('a'), gate.pass('a'), gate.pass('a')]
  expect(passes()).toEqual([true, true, true, false])
  clock.ms = 6000
  expect(passes()).toEqual([true, false, false, false])
  clock.ms = 60_000
  expect(passes()).toEqual([true, true, true, false])
})
