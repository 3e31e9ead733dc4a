import { expect, test } from 'vitest'
import { testDatabase } from '../support/database.ts'
import { runSeeds } from './seeds.ts'

test('a seed has the same history whatever ran before it', async () => {
  const { connection, close } = await testDatabase()
  const hashes = new Map<number, Set<string>>()
  try {
    await runSeeds(connection, [3, 5, 19, 5, 19, 3], ({ seed, hash }) => {
      hashes.set(seed, new Set([...(hashes.get(seed) ?? []), hash]))
    })
  } finally {
    await close()
  }
  expect([...hashes.values()].map((each) => each.size)).toEqual([1, 1, 1])
  expect(new Set([...hashes.values()].flatMap((each) => [...each])).size).toBe(3)
})
