import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts'
import { newStage, type Stage, sql } from '../../../test/support/stage.ts'
import { type ManualClock, manualClock } from '../../base/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import { createLastNotices, type LastNotices } from './last-notices.ts'

let own: TestDatabase
let clock: ManualClock
let stage: Stage
let notices: LastNotices
let writes: number

beforeAll(async () => {
  own = await testDatabase()
})
afterAll(() => own.close())
beforeEach(async () => {
  clock = manualClock('2026-03-02T12:00:00.000Z')
  stage = await newStage(own.database, clock)
  writes = 0
  const run: Database['run'] = (...asked) => {
    writes += 1
    return own.database.run(...asked)
  }
  notices = createLastNotices({ database: { ...own.database, run }, clock })
})

const last = async (channelId = stage.channelId) =>
  (await sql<{ at: Date | null }>(own.database, 'select last_notice_at as at from channel where id = $1', [channelId]))[0]?.at
const hear = async (...numbers: readonly { channelId: Stage['channelId'] }[]) => {
  notices.heard(numbers.map(({ channelId }) => ({ accountId: stage.accountId, channelId })))
  await notices.write()
}

// rule: channels 3
test('a number’s last notice is written down at once when it was quiet, and then once a minute', async () => {
  await hear(stage)
  expect(await last()).toEqual(clock.now())
  const began = clock.now()
  for (let ms = 0; ms < 59_000; ms += 1_000) {
    clock.advance(1_000)
    await hear(stage, stage)
  }
  expect(await last()).toEqual(began)
  expect(writes).toBe(1)
  clock.advance(1_000)
  await hear(stage)
  expect(await last()).toEqual(clock.now())
  expect(writes).toBe(2)
})

test('those of many numbers are written together, at most once a second', async () => {
  const others = [await stage.addNumber(), await stage.addNumber(), await stage.addNumber()]
  await hear(stage, ...others.slice(0, 2))
  expect(writes).toBe(1)
  for (const each of [stage, ...others.slice(0, 2)]) expect(await last(each.channelId)).toEqual(clock.now())
  await hear(...others)
  expect(await last(others[2]?.channelId)).toBeNull()
  clock.advance(1_000)
  await notices.write()
  expect(await last(others[2]?.channelId)).toEqual(clock.now())
  expect(writes).toBe(2)
})

test('another process’s later one is never set back', async () => {
  const later = new Date(clock.now().getTime() + 5_000)
  await sql(own.database, 'update channel set last_notice_at = $2 where id = $1', [stage.channelId, later])
  await hear(stage)
  expect(await last()).toEqual(later)
})

test('while nothing comes nothing is asked of the database', async () => {
  for (let n = 0; n < 100; n += 1) {
    clock.advance(1_000)
    await notices.write()
  }
  expect(writes).toBe(0)
})
