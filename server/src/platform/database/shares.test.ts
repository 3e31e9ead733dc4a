import { expect, test } from 'vitest'
import { manualClock } from '../../base/clock.ts'
import { createShares, SharesFull } from './shares.ts'

/** Work that ends when the test says so; `started` has the keys in the order in which they began. */
function steered(options: Partial<Parameters<typeof createShares>[0]> = {}) {
  const clock = manualClock('2026-03-02T12:00:00Z')
  const share = createShares({ clock, atOnceMax: 3, perKeyMax: 2, waitingPerKeyMax: 10, waitMsMax: 5_000, ...options })
  const started: string[] = []
  const ends: (() => void)[] = []
  const ask = (key: string) =>
    share(key, () => {
      started.push(key)
      return new Promise<string>((resolve) => ends.push(() => resolve(key)))
    })
  const endNext = async () => {
    ends.shift()?.()
    await new Promise<void>((resolve) => setImmediate(resolve))
  }
  return { clock, ask, started, endNext, settled: () => new Promise<void>((resolve) => setImmediate(resolve)) }
}

test('a key never runs more than it may, and leaves the other places to the others', async () => {
  const { ask, started, settled } = steered()
  void [ask('a'), ask('a'), ask('a'), ask('b')]
  await settled()
  expect(started).toEqual(['a', 'a', 'b'])
})

test('those that wait take turns, so that one that asks for much waits behind itself', async () => {
  const { ask, started, endNext, settled } = steered({ atOnceMax: 1, perKeyMax: 1 })
  void [ask('a'), ask('a'), ask('a'), ask('a'), ask('b'), ask('c'), ask('b')]
  await settled()
  for (let i = 0; i < 7; i += 1) await endNext()
  expect(started).toEqual(['a', 'a', 'b', 'c', 'a', 'b', 'a'])
})

test('one more than may wait is refused at once, and the others are served', async () => {
  const { ask, endNext, settled } = steered({ atOnceMax: 1, waitingPerKeyMax: 1 })
  const [first, second] = [ask('a'), ask('a')]
  await settled()
  await expect(ask('a')).rejects.toBeInstanceOf(SharesFull)
  const other = ask('b')
  for (let i = 0; i < 3; i += 1) await endNext()
  expect(await Promise.all([first, second, other])).toEqual(['a', 'a', 'b'])
})

test('whose turn does not come in time is refused, and takes no place any more', async () => {
  const { ask, clock, started, endNext, settled } = steered({ atOnceMax: 1 })
  const first = ask('a')
  const late = ask('b')
  await settled()
  clock.advance(5_000)
  await expect(late).rejects.toBeInstanceOf(SharesFull)
  await endNext()
  expect(await first).toBe('a')
  expect(started).toEqual(['a'])
  void ask('c')
  await settled()
  expect(started).toEqual(['a', 'c'])
})

test('work that fails gives its place back', async () => {
  const clock = manualClock('2026-03-02T12:00:00Z')
  const share = createShares({ clock, atOnceMax: 1, perKeyMax: 1, waitingPerKeyMax: 1, waitMsMax: 5_000 })
  await expect(share('a', () => Promise.reject(new Error('ours')))).rejects.toThrow('ours')
  expect(await share('b', async () => 1)).toBe(1)
})
