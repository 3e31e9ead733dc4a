import { expect, test } from 'vitest'
import { testDatabase } from '../support/database.ts'
import { runSeeds, seedsFrom, words } from './seeds.ts'

// Half of the seeds; the other half runs beside it in a file of its own. `npm run simulate` plays as many as one likes.
test('in 100 histories with faults no invariant is broken', { timeout: 900_000 }, async () => {
  const { connection, close } = await testDatabase()
  const broken: string[] = []
  try {
    await runSeeds(connection, seedsFrom(1, 100), (outcome) => {
      if (outcome.violations.length > 0) broken.push(words(outcome))
    })
  } finally {
    await close()
  }
  expect(broken).toEqual([])
})
