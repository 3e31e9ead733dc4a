import { expect, test } from 'vitest'
import type { Queries } from './database.ts'
import { isNewEnough, refuseOldServer, ServerTooOld } from './server-version.ts'

test.each([
  [140_022, false],
  [150_013, false],
  [159_999, false],
  [160_000, true],
  [170_004, true],
  [180_001, true],
])('a server of version %i serves: %s', (number, serves) => {
  expect(isNewEnough({ number, text: '' })).toBe(serves)
})

/** A server that knows nothing but its version. */
const serverOf = (number: number, text: string): Queries => ({
  run: async () => [{ number, text }] as never,
  all: async () => [],
})

test('an older one is refused in a sentence that says what to do', async () => {
  await expect(refuseOldServer(serverOf(150_013, '15.13'))).rejects.toThrow(
    new ServerTooOld('PostgreSQL 15.13 is too old. Use version 16 or newer. Nothing was changed in it.'),
  )
  await refuseOldServer(serverOf(160_001, '16.1'))
})
