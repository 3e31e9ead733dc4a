import { expect, test } from 'vitest'
import { createKept } from './kept.ts'

test('the newest entries are kept, numbered from 1, however many came before', () => {
  const kept = createKept<number>({ max: 100, charactersMax: 1e9 }, () => 1)
  for (let i = 1; i <= 5000; i += 1) kept.push(i)
  expect(kept.last()).toBe(5000)
  expect(kept.after(0, 1000)).toEqual(Array.from({ length: 100 }, (_, i) => 4901 + i))
  expect(kept.after(4998, 1000)).toEqual([4999, 5000])
  expect(kept.after(4950, 2)).toEqual([4951, 4952])
  expect(kept.after(5000, 1000)).toEqual([])
})

test('long entries push out more of the old ones, never the newest', () => {
  const kept = createKept<string>({ max: 100, charactersMax: 10 }, (entry) => entry.length)
  for (const entry of ['aaaa', 'bbbb', 'cccc']) kept.push(entry)
  expect(kept.after(0, 10)).toEqual(['bbbb', 'cccc'])
  kept.push('x'.repeat(50))
  expect(kept.after(0, 10)).toEqual(['x'.repeat(50)])
  expect(kept.last()).toBe(4)
})
