import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts'
import { sql } from '../../../test/support/stage.ts'
import { newUuid, type Uuid } from '../../base/id.ts'
import { noteSubmission, type Submission, settleSubmission } from './store.ts'

const hourMs = 3_600_000
const start = Date.parse('2026-11-27T12:00:00Z')

let database: TestDatabase
let accountId: Uuid
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())
beforeEach(() => {
  accountId = newUuid(new Date())
})

const submission = (hours = 0, body = 'a', name = 'novo'): Submission => ({
  ...{ accountId, wabaId: '1', name, language: 'pt_BR' },
  bodyHash: Buffer.from(body),
  at: new Date(start + hours * hourMs),
})
const note = (...of: Parameters<typeof submission>) => noteSubmission(database.database, submission(...of))
const settle = (...of: Parameters<typeof submission>) => settleSubmission(database.database, submission(...of))

// rule: templates 5
describe('a submission', () => {
  test('that is not settled is known when the same comes again, within 24 hours', async () => {
    expect(await note()).toBe(false)
    expect(await note(1)).toBe(true)
    expect(await note(24.999)).toBe(true)
    expect(await note(49)).toBe(false)
  })

  test('that is settled is as good as never made', async () => {
    await note()
    await settle()
    expect(await note(1)).toBe(false)
  })

  test('with another body is another one, and settling it leaves the first alone', async () => {
    await note(0, 'a', 'um')
    expect(await note(0, 'b', 'dois')).toBe(false)
    await note(0, 'a')
    await settle(0, 'b')
    expect(await note(0, 'a')).toBe(true)
    expect(await note(0, 'b')).toBe(false)
  })

  test('of two at once: the second knows of the first', async () => {
    const both = await Promise.all([note(), note(), note()])
    expect(both.toSorted()).toEqual([false, true, true])
  })

  test('leaves no row once its day is over and the account submits another one', async () => {
    await note(0, 'a', 'um')
    await note(24, 'a', 'dois')
    const rows = await sql<{ name: string }>(database.database, 'select name from template_submission where account_id = $1', [accountId])
    expect(rows).toEqual([{ name: 'dois' }])
  })
})
