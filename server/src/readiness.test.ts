import { describe, expect, test } from 'vitest'
import { manualClock } from './base/clock.ts'
import { createBatcher } from './platform/database/batcher.ts'
import { startLoop } from './platform/lanes/loop.ts'
import { createVitals, type Vitals } from './platform/observe/vitals.ts'
import { deadParts, workChecks } from './readiness.ts'

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

function stage(lease: () => boolean = () => true) {
  const clock = manualClock('2026-11-28T12:00:00.000Z')
  const vitals = createVitals(clock)
  const checks = workChecks(vitals, lease)
  const look = async () => Object.fromEntries(await Promise.all(checks.map(async ({ name, check }) => [name, await check()] as const)))
  return { clock, vitals, look }
}

const fine = { loops: { ok: true }, batches: { ok: true }, lease: { ok: true } }

describe('what the work says of itself', () => {
  test('is fine while loops rest and nothing waits, for however long', async () => {
    const { clock, vitals, look } = stage()
    const loop = startLoop({ name: 'sends', clock, vitals, observe: () => {}, tick: async () => 1_000 })
    createBatcher<number, number>({ name: 'sends', vitals, observe: () => {}, itemsMax: 1, waitingMax: 1, run: async (items) => items })
    for (let second = 0; second < 300; second += 1) {
      clock.advance(1_000)
      await turn()
    }
    expect(await look()).toEqual(fine)
    await loop.stop()
  })

  test('names a core loop that has failed for 15 seconds, and forgets it with its first success', async () => {
    const { clock, vitals, look } = stage()
    let fails = true
    const tick = async () => {
      if (fails) throw new Error('no token opens')
      return 1_000
    }
    const loop = startLoop({ name: 'sends', clock, vitals, observe: () => {}, tick })
    const pass = async (seconds: number) => {
      for (let second = 0; second < seconds; second += 1) {
        clock.advance(1_000)
        await turn()
      }
    }
    await pass(10)
    expect(await look()).toEqual(fine)
    await pass(10)
    expect(await look()).toEqual({ ...fine, loops: { ok: false, note: expect.stringMatching(/^loop sends has failed for \d+ seconds$/) } })
    fails = false
    await pass(3)
    expect(await look()).toEqual(fine)
    await loop.stop()
  })

  test('names a loop whose step does not end, and after two minutes says that only a restart helps', async () => {
    const { clock, vitals, look } = stage()
    const hangs = Promise.withResolvers<number>()
    const loop = startLoop({ name: 'ownership', clock, vitals, observe: () => {}, tick: () => hangs.promise })
    clock.advance(1)
    clock.advance(31_000)
    expect((await look()).loops).toEqual({ ok: false, note: 'loop ownership has not moved for 31 seconds' })
    expect(deadParts(vitals)).toEqual([])
    clock.advance(90_000)
    expect(deadParts(vitals)).toEqual(['loop ownership'])
    hangs.resolve(1_000)
    await loop.stop()
  })

  test('says nothing of a loop that is not at the core: the inbox may be late', async () => {
    const { clock, vitals, look } = stage()
    const hangs = Promise.withResolvers<number>()
    const loop = startLoop({ name: 'feed_search', clock, vitals, observe: () => {}, tick: () => hangs.promise })
    clock.advance(600_000)
    expect(await look()).toEqual(fine)
    expect(deadParts(vitals)).toEqual([])
    hangs.resolve(1_000)
    await loop.stop()
  })

  /** A batch of sends, each of whose runs first does what the test says. */
  function batchOfSends(vitals: Vitals) {
    const does = { run: async (): Promise<void> => {} }
    const accept = createBatcher<number, number>({
      ...{ name: 'sends', vitals, observe: () => {}, itemsMax: 10, waitingMax: 10 },
      run: async (items) => {
        await does.run()
        return items
      },
    })
    return { accept, does }
  }
  const failsWith = (code: string) => async () => {
    throw Object.assign(new Error('the database refuses'), { code, severity: 'ERROR' })
  }
  const batchTrouble = (words: string) => ({ ...fine, batches: { ok: false, note: expect.stringMatching(words) } })

  test('names the batch of sends when something waits in it and no run ends', async () => {
    const { clock, vitals, look } = stage()
    const { accept, does } = batchOfSends(vitals)
    const hangs = Promise.withResolvers<void>()
    does.run = () => hangs.promise
    const waiting = accept(2)
    clock.advance(40_000)
    expect((await look()).batches).toEqual({ ok: false, note: 'batch sends has not moved for 40 seconds' })
    hangs.resolve()
    expect(await waiting).toBe(2)
    await turn()
    expect(await look()).toEqual(fine)
  })

  test('a caller whose data are refused, for however long, is its own business', async () => {
    const { clock, vitals, look } = stage()
    const { accept, does } = batchOfSends(vitals)
    does.run = failsWith('22021')
    for (let second = 0; second < 60; second += 1) {
      await expect(accept(1)).rejects.toThrow('the database refuses')
      clock.advance(1_000)
    }
    await turn()
    expect(await look()).toEqual(fine)
  })

  // A lock that is not given, a right that was taken away, a damaged index, a bug that hits every run.
  test.each(['55P03', '42501', 'XX002', 'no SQLSTATE'])(
    'names the batch of sends whose runs have all failed with %s for 15 seconds, and forgets it with the first that does its work',
    async (code) => {
      const { clock, vitals, look } = stage()
      const { accept, does } = batchOfSends(vitals)
      const refused = async (seconds: number) => {
        does.run = failsWith(code)
        for (let second = 0; second < seconds; second += 1) {
          await expect(accept(1)).rejects.toThrow('the database refuses')
          clock.advance(1_000)
        }
        await turn()
      }
      await refused(15)
      expect(await look()).toEqual(fine)
      await refused(5)
      expect(await look()).toEqual(batchTrouble('^batch sends has failed for 20 seconds$'))
      does.run = async () => {}
      await accept(1)
      await turn()
      expect(await look()).toEqual(fine)
      await refused(14)
      expect(await look()).toEqual(fine)
    },
  )

  test('a batch that failed and is not used any more is no reason to stay away, after 20 seconds; failures that lie further apart do not add up', async () => {
    const { clock, vitals, look } = stage()
    const { accept, does } = batchOfSends(vitals)
    does.run = failsWith('42501')
    const fail = () => expect(accept(1)).rejects.toThrow('the database refuses')
    await fail()
    clock.advance(19_000)
    await fail()
    expect(await look()).toEqual(batchTrouble('^batch sends has failed for 19 seconds$'))
    await turn()
    clock.advance(20_000)
    expect(await look()).toEqual(fine)
    await fail()
    await turn()
    expect(await look()).toEqual(fine)
  })

  test('says that the lease is lost', async () => {
    const { look } = stage(() => false)
    expect((await look()).lease).toEqual({ ok: false })
  })
})
