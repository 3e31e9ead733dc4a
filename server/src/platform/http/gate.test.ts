import { expect, test } from 'vitest'
import { createGate, GateFull } from './gate.ts'

/** Work that ends when the test says so. */
function worker() {
  const started: string[] = []
  const ends: (() => void)[] = []
  const work = (name: string) => () =>
    new Promise<string>((resolve) => {
      started.push(name)
      ends.push(() => resolve(name))
    })
  return { started, ends, work }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

test('so many run at once, and those that wait take turns by owner', async () => {
  const gate = createGate({ atOnce: 1, waitingMax: 10, waitingOfOneMax: 5 })
  const { started, ends, work } = worker()
  const all = ['a1', 'a2', 'a3', 'b1', 'c1'].map((name) => gate.run(name[0] ?? '', work(name)))
  for (let i = 0; i < 5; i += 1) {
    await settled()
    ends[i]?.()
  }
  expect(await Promise.all(all)).toEqual(['a1', 'a2', 'a3', 'b1', 'c1'])
  expect(started).toEqual(['a1', 'a2', 'b1', 'c1', 'a3'])
})

test('who has too many waiting is refused, and another is not; beyond the whole bound everybody is', async () => {
  const gate = createGate({ atOnce: 1, waitingMax: 3, waitingOfOneMax: 2 })
  const { ends, work } = worker()
  const runs = ['a', 'a', 'a'].map((name) => gate.run(name, work(name)))
  await expect(gate.run('a', work('a'))).rejects.toThrow(GateFull)
  runs.push(gate.run('b', work('b')))
  await expect(gate.run('c', work('c'))).rejects.toThrow(GateFull)
  for (let i = 0; i < 4; i += 1) {
    await settled()
    ends[i]?.()
  }
  await Promise.all(runs)
})

test('work that fails makes room like any other', async () => {
  const gate = createGate({ atOnce: 1, waitingMax: 1, waitingOfOneMax: 1 })
  const failed = gate.run('a', () => Promise.reject(new Error('it failed')))
  const next = gate.run('a', async () => 'done')
  await expect(failed).rejects.toThrow('it failed')
  expect(await next).toBe('done')
})
