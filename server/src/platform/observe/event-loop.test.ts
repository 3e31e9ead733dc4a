import { describe, expect, test } from 'vitest'
import { systemClock } from '../../base/clock.ts'
import { watchEventLoop } from './event-loop.ts'

/** Computes on this thread for so long, by what the thread itself has burned. */
function burn(ms: number): void {
  const began = process.threadCpuUsage()
  let burnedMs = 0
  while (burnedMs < ms) {
    const { user, system } = process.threadCpuUsage(began)
    burnedMs = (user + system) / 1_000
  }
}

describe('the watch of the event loop', () => {
  test('tells of work that keeps the event loop for more than 250 ms, and not of short pieces of work', async () => {
    const told = Promise.withResolvers<number>()
    const watch = watchEventLoop({ clock: systemClock(), observe: ({ ms }) => told.resolve(ms) })
    for (let piece = 0; piece < 20; piece += 1) {
      burn(20)
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(watch.longestMs()).toBeLessThan(250)
    burn(600)
    expect(await told.promise).toBeGreaterThan(500)
    expect(watch.longestMs()).toBeGreaterThan(500)
    watch.stop()
  })

  test('does not tell of a thread that only waits, as one whose processor is busy with others does', async () => {
    const observed: unknown[] = []
    const clock = systemClock()
    const looked = Promise.withResolvers<void>()
    const look = (work: () => void) => () => {
      work()
      looked.resolve()
    }
    const watch = watchEventLoop({
      clock: { ...clock, after: (ms, work) => clock.after(ms, look(work)) },
      observe: (each) => observed.push(each),
    })
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400)
    await looked.promise
    expect(observed).toEqual([])
    watch.stop()
  })
})
