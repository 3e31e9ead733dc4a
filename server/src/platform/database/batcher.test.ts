import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { type Clock, manualClock } from '../../base/clock.ts'
import type { Uuid } from '../../base/id.ts'
import { BatcherFull, BatcherLate, createBatcher } from './batcher.ts'

/** An error as PostgreSQL sends it. */
const sqlError = (code: string) => Object.assign(new Error(`state ${code}`), { code, severity: 'ERROR' })

type Run = { items: readonly number[]; finish(): void; fail(error: unknown): void }

const quiet = { name: 'test', observe: () => {} }

/** A batcher whose runs end when the test says so; each answer is the item times ten. */
function steered(
  options: { itemsMax?: number; besideFrom?: number; waitingMax?: number; patience?: { clock: Clock; msMax: number } } = {},
) {
  const runs: Run[] = []
  const heard: (() => void)[] = []
  const ask = createBatcher<number, number>({
    ...quiet,
    itemsMax: options.itemsMax ?? 100,
    waitingMax: options.waitingMax ?? 1_000,
    ...(options.besideFrom === undefined ? {} : { besideFrom: options.besideFrom }),
    ...(options.patience === undefined ? {} : { patience: options.patience }),
    run: (items) =>
      new Promise((resolve, reject) => {
        runs.push({ items, finish: () => resolve(items.map((item) => item * 10)), fail: reject })
        heard.splice(0).forEach((tell) => {
          tell()
        })
      }),
  })
  const started = async (count: number): Promise<Run> => {
    while (runs.length < count) await new Promise<void>((resolve) => heard.push(resolve))
    return runs[count - 1] as Run
  }
  return { ask, runs, started }
}

describe('joining', () => {
  test('callers of one turn share a run, and each gets its own answer', async () => {
    const { ask, started, runs } = steered()
    const answers = Promise.all([ask(1), ask(2), ask(3)])
    ;(await started(1)).finish()
    expect(await answers).toEqual([10, 20, 30])
    expect(runs.map((run) => run.items)).toEqual([[1, 2, 3]])
  })

  test('whoever comes during a run shares the next one, and two never run at once', async () => {
    const { ask, started, runs } = steered()
    const first = ask(1)
    const run = await started(1)
    const [second, third] = [ask(2), ask(3)]
    await new Promise<void>((resolve) => setImmediate(resolve))
    expect(runs).toHaveLength(1)
    run.finish()
    ;(await started(2)).finish()
    expect(await Promise.all([first, second, third])).toEqual([10, 20, 30])
    expect(runs.map((each) => each.items)).toEqual([[1], [2, 3]])
  })

  test('a second run begins beside the first once as many wait as it asks for, and never a third', async () => {
    const { ask, started, runs } = steered({ besideFrom: 3, itemsMax: 4 })
    const turn = () => new Promise<void>((resolve) => setImmediate(resolve))
    const asked = [ask(1)]
    const first = await started(1)
    asked.push(ask(2), ask(3))
    await turn()
    expect(runs).toHaveLength(1)
    asked.push(ask(4))
    const second = await started(2)
    asked.push(ask(5), ask(6), ask(7), ask(8))
    await turn()
    expect(runs.map((each) => each.items)).toEqual([[1], [2, 3, 4]])
    second.finish()
    const third = await started(3)
    asked.push(ask(9))
    third.finish()
    await turn()
    // One is not worth a run beside the first; whoever is alone takes it.
    expect(runs).toHaveLength(3)
    first.finish()
    ;(await started(4)).finish()
    expect(await Promise.all(asked)).toEqual([10, 20, 30, 40, 50, 60, 70, 80, 90])
    expect(runs.map((each) => each.items)).toEqual([[1], [2, 3, 4], [5, 6, 7, 8], [9]])
  })

  test('a run takes no more than it may, in the order of asking', async () => {
    const { ask, started, runs } = steered({ itemsMax: 2 })
    const answers = Promise.all([1, 2, 3, 4, 5].map(ask))
    for (let n = 1; n <= 3; n += 1) (await started(n)).finish()
    expect(await answers).toEqual([10, 20, 30, 40, 50])
    expect(runs.map((run) => run.items)).toEqual([[1, 2], [3, 4], [5]])
  })

  test('after a quiet time it starts again', async () => {
    const { ask, started } = steered()
    for (let n = 1; n <= 3; n += 1) {
      const answer = ask(n)
      ;(await started(n)).finish()
      expect(await answer).toBe(n * 10)
    }
  })
})

describe('bounds', () => {
  test('one caller more than may wait is refused at once, the others are served', async () => {
    const { ask, started } = steered({ waitingMax: 2 })
    const first = ask(1)
    const run = await started(1)
    const waiting = [ask(2), ask(3)]
    await expect(ask(4)).rejects.toBeInstanceOf(BatcherFull)
    run.finish()
    ;(await started(2)).finish()
    expect(await Promise.all([first, ...waiting])).toEqual([10, 20, 30])
  })
})

describe('patience', () => {
  const impatient = () => {
    const clock = manualClock('2026-03-02T12:00:00Z')
    return { clock, ...steered({ patience: { clock, msMax: 1_000 } }) }
  }

  test('a caller who has waited long enough is refused, and what had not begun is not done', async () => {
    const { clock, ask, started, runs } = impatient()
    const first = ask(1)
    const run = await started(1)
    clock.advance(500)
    const second = ask(2)
    clock.advance(500)
    await expect(first).rejects.toBeInstanceOf(BatcherLate)
    clock.advance(500)
    await expect(second).rejects.toBeInstanceOf(BatcherLate)
    const third = ask(3)
    run.finish()
    ;(await started(2)).finish()
    expect(await third).toBe(30)
    expect(runs.map((each) => each.items)).toEqual([[1], [3]])
  })

  test('whoever was answered in time hears nothing more', async () => {
    const { clock, ask, started } = impatient()
    const answer = ask(1)
    ;(await started(1)).finish()
    expect(await answer).toBe(10)
    clock.advance(10_000)
    expect(await answer).toBe(10)
  })
})

describe('failures', () => {
  test('a failed run rejects its own callers only', async () => {
    const { ask, started } = steered({ itemsMax: 2 })
    const fates = Promise.allSettled([1, 2, 3, 4].map(ask))
    ;(await started(1)).fail(new Error('the database is away'))
    ;(await started(2)).finish()
    expect((await fates).map((fate) => fate.status)).toEqual(['rejected', 'rejected', 'fulfilled', 'fulfilled'])
  })

  test('large items: a run takes what fits and at least one, and what would fill the memory is refused', async () => {
    const runs: number[][] = []
    const release = Promise.withResolvers<void>()
    const ask = createBatcher<number, number>({
      ...quiet,
      itemsMax: 9,
      waitingMax: 99,
      bytes: { of: (item) => item, waitingMax: 130, perRunMax: 50 },
      run: async (items) => {
        runs.push([...items])
        await release.promise
        return items
      },
    })
    const asked = [80, 20, 20, 20].map((item) => ask(item))
    await expect(ask(1)).rejects.toThrow(BatcherFull)
    release.resolve()
    await Promise.all(asked)
    expect(runs).toEqual([[80], [20, 20], [20]])
    expect(await ask(70)).toBe(70)
  })

  test('a run that answers too few is a bug that its callers hear of', async () => {
    const ask = createBatcher<number, number>({ ...quiet, itemsMax: 9, waitingMax: 9, run: async () => [1] })
    const fates = await Promise.allSettled([ask(1), ask(2)])
    expect(fates.every((fate) => fate.status === 'rejected' && String(fate.reason).includes('bug'))).toBe(true)
  })

  test('a lost connection is not bisected: what was committed is not known', async () => {
    let runs = 0
    const ask = createBatcher<number, number>({
      ...quiet,
      itemsMax: 9,
      waitingMax: 9,
      run: async () => {
        runs += 1
        throw sqlError('57P01')
      },
    })
    await Promise.allSettled([ask(1), ask(2), ask(3)])
    expect(runs).toBe(1)
  })

  test('items whose data are refused fail alone, whichever they are; all others get their own answers', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(fc.nat(30), { maxLength: 31 }), fc.integer({ min: 1, max: 31 }), async (poison, itemsMax) => {
        const bad = new Set(poison)
        const ask = createBatcher<number, number>({
          ...quiet,
          itemsMax,
          waitingMax: 100,
          run: async (items) => {
            if (items.some((item) => bad.has(item))) throw sqlError(items.length % 2 === 0 ? '22P02' : '23505')
            return items.map((item) => item * 10)
          },
        })
        const fates = await Promise.allSettled(Array.from({ length: 31 }, (_, item) => ask(item)))
        fates.forEach((fate, item) => {
          if (bad.has(item)) expect(fate.status).toBe('rejected')
          else expect(fate).toEqual({ status: 'fulfilled', value: item * 10 })
        })
      }),
      { numRuns: 50 },
    )
  })
})

describe('turns of accounts', () => {
  const accountOf = (item: number) => String(Math.floor(item / 1_000)) as Uuid
  function shared(turns: { waitingMax?: number; bytesMax?: number } = {}) {
    const runs: { items: readonly number[]; finish(): void }[] = []
    const ask = createBatcher<number, number>({
      ...quiet,
      itemsMax: 4,
      waitingMax: 1_000,
      bytes: { of: () => 10, waitingMax: 100_000, perRunMax: 1_000 },
      turns: { accountOf, waitingMax: turns.waitingMax ?? 500, bytesMax: turns.bytesMax ?? 100_000 },
      run: (items) =>
        new Promise((resolve) => {
          runs.push({ items, finish: () => resolve([...items]) })
        }),
    })
    const nextRun = (n: number) => vi.waitFor(() => expect(runs.length).toBe(n))
    return { ask, runs, nextRun }
  }

  test('let who comes last come along with the next run, whatever another account has waiting, each in its own order', async () => {
    const { ask, runs, nextRun } = shared()
    const all = Array.from({ length: 40 }, (_, i) => ask(1_000 + i))
    await nextRun(1)
    all.push(ask(2_000), ask(3_000), ask(2_001))
    for (let n = 1; n <= 11; n += 1) {
      await nextRun(n)
      runs[n - 1]?.finish()
    }
    await Promise.all(all)
    expect(runs.map((run) => run.items).slice(0, 3)).toEqual([
      [1_000, 1_001, 1_002, 1_003],
      [1_004, 2_000, 3_000, 1_005],
      [2_001, 1_006, 1_007, 1_008],
    ])
    const first = runs.flatMap((run) => run.items).filter((item) => item < 2_000)
    expect(first).toEqual(first.toSorted((a, b) => a - b))
  })

  test.each([{ waitingMax: 5 }, { bytesMax: 45 }])(
    'refuse more of one account than it may have waiting, and nobody else (%j)',
    async (turns) => {
      const { ask, runs, nextRun } = shared(turns)
      const ended = Promise.allSettled([...Array.from({ length: 10 }, (_, i) => ask(1_000 + i)), ask(2_000)])
      for (let n = 1; n <= 2; n += 1) {
        await nextRun(n)
        runs[n - 1]?.finish()
      }
      const results = await ended
      expect(results.at(-1)?.status).toBe('fulfilled')
      const refused = results.filter((each) => each.status === 'rejected')
      expect(refused).toHaveLength(5)
      for (const each of refused) expect(each.reason).toBeInstanceOf(BatcherFull)
    },
  )
})
