import { afterEach, describe, expect, test } from 'vitest'
import { manualClock } from '../../base/clock.ts'
import { type Loop, type LoopObservation, startLoop } from './loop.ts'

const loops: Loop[] = []

afterEach(async () => {
  for (const loop of loops.splice(0)) await loop.stop()
})

type Tick = { finish(nextMs: number): void; fail(error: unknown): void }

/** A loop whose ticks end when the test says so. */
function steered() {
  const clock = manualClock('2026-03-02T12:00:00Z')
  const ticks: Tick[] = []
  const observed: LoopObservation[] = []
  let heard: (() => void)[] = []
  const loop = startLoop({
    name: 'test',
    clock,
    observe: (each) => observed.push(each),
    tick: () =>
      new Promise((resolve, reject) => {
        ticks.push({ finish: resolve, fail: reject })
        for (const tell of heard) tell()
        heard = []
      }),
  })
  const stop = () => {
    ticks.at(-1)?.finish(1_000)
    return loop.stop()
  }
  loops.push({ ...loop, stop })
  const started = async (count: number): Promise<Tick> => {
    while (ticks.length < count) await new Promise<void>((resolve) => heard.push(resolve))
    return ticks[count - 1] as Tick
  }
  return { clock, loop, ticks, observed, started }
}

/** Long enough for everything that runs without a timer. */
const settle = async () => {
  for (let n = 0; n < 3; n += 1) await new Promise<void>((resolve) => setImmediate(resolve))
}

describe('ticks', () => {
  test('begin soon after the start and come again when the last one asked for it, not before', async () => {
    const { clock, ticks, started } = steered()
    clock.advance(0)
    ;(await started(1)).finish(500)
    await settle()
    clock.advance(499)
    await settle()
    expect(ticks).toHaveLength(1)
    clock.advance(1)
    await started(2)
  })

  test('never overlap, however often the loop is woken', async () => {
    const { clock, loop, ticks, started } = steered()
    clock.advance(0)
    const first = await started(1)
    for (let n = 0; n < 5; n += 1) loop.wake()
    clock.advance(10_000)
    await settle()
    expect(ticks).toHaveLength(1)
    first.finish(1_000)
    ;(await started(2)).finish(1_000)
    await settle()
    expect(ticks).toHaveLength(2)
  })

  test('a wake during a tick runs another at once: it may have seen what that tick missed', async () => {
    const { clock, loop, started } = steered()
    clock.advance(0)
    const first = await started(1)
    loop.wake()
    first.finish(60_000)
    await started(2)
  })

  test('a wake between ticks runs one without waiting for the timer', async () => {
    const { clock, loop, ticks, started } = steered()
    clock.advance(0)
    ;(await started(1)).finish(60_000)
    await settle()
    loop.wake()
    ;(await started(2)).finish(60_000)
    await settle()
    clock.advance(59_999)
    await settle()
    expect(ticks).toHaveLength(2)
  })
})

describe('a tick that fails', () => {
  test('is told and tried again after growing pauses, also while the loop is being woken', async () => {
    const { clock, loop, ticks, observed, started } = steered()
    clock.advance(0)
    let count = 1
    for (const pauseMs of [50, 200, 1_000, 2_000, 2_000]) {
      const tick = await started(count)
      loop.wake()
      tick.fail(new Error('the database is away'))
      await settle()
      loop.wake()
      clock.advance(pauseMs - 1)
      await settle()
      expect(ticks).toHaveLength(count)
      clock.advance(1)
      count += 1
    }
    await started(count)
    expect(observed).toHaveLength(5)
    expect(observed[0]).toMatchObject({ kind: 'lane.tick_failed', lane: 'test', message: expect.stringContaining('the database is away') })
  })

  test('leaves no trace once one succeeds', async () => {
    const { clock, loop, started } = steered()
    clock.advance(0)
    ;(await started(1)).fail('no error object')
    await settle()
    clock.advance(50)
    ;(await started(2)).finish(60_000)
    await settle()
    loop.wake()
    ;(await started(3)).fail(new Error('again'))
    await settle()
    clock.advance(50)
    await started(4)
  })
})

describe('stopping', () => {
  test('waits for the tick under way, and no other follows', async () => {
    const { clock, loop, ticks, started } = steered()
    clock.advance(0)
    const tick = await started(1)
    let stopped = false
    loop.wake()
    const stopping = loop.stop().then(() => {
      stopped = true
    })
    await settle()
    expect(stopped).toBe(false)
    tick.finish(0)
    await stopping
    loop.wake()
    clock.advance(60_000)
    await settle()
    expect(ticks).toHaveLength(1)
  })

  test('before the first tick prevents it', async () => {
    const { clock, loop, ticks } = steered()
    await loop.stop()
    clock.advance(60_000)
    await settle()
    expect(ticks).toHaveLength(0)
  })
})
