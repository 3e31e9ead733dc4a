import { expect, test } from 'vitest'
import type { Uuid } from '../../base/id.ts'
import { createPlaces } from './places.ts'

const [a, b] = ['a', 'b'] as [Uuid, Uuid]

test('no more run at once than there are places, and the one that comes last waits behind one of each account, not behind all', async () => {
  const inTurn = createPlaces(2)
  const began: string[] = []
  const ends: (() => void)[] = []
  let running = 0
  let most = 0
  const work = (name: string) => async () => {
    began.push(name)
    running += 1
    most = Math.max(most, running)
    await new Promise<void>((resolve) => ends.push(resolve))
    running -= 1
    if (name === 'a3') throw new Error('one fails')
    return name
  }
  const all = Array.from({ length: 6 }, (_, i) => inTurn(a, work(`a${i}`)))
  all.push(inTurn(b, work('b0')), inTurn(b, work('b1')))
  const ended = Promise.allSettled(all)
  for (let n = 0; n < 8; n += 1) {
    while (ends.length <= n) await new Promise<void>((resolve) => setImmediate(resolve))
    ends[n]?.()
  }
  expect((await ended).map((each) => each.status)).toEqual([...Array(3).fill('fulfilled'), 'rejected', ...Array(4).fill('fulfilled')])
  expect(began).toEqual(['a0', 'a1', 'a2', 'b0', 'a3', 'b1', 'a4', 'a5'])
  expect(most).toBe(2)
})
