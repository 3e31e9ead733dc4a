import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts'
import { digits, newStage, sql } from '../../../test/support/stage.ts'
import { manualClock } from '../../base/clock.ts'
import type { Uuid } from '../../base/id.ts'
import type { Tx } from '../../platform/database/database.ts'
import { createPeople } from './resolve.ts'

// Today, because the test database has today's partitions.
const clock = manualClock(new Date().toISOString())
const [first, second] = ['5511987654321', '5511987654322']
let own: TestDatabase
let accountId: Uuid

beforeAll(async () => {
  own = await testDatabase()
})
afterAll(() => own.close())
beforeEach(async () => {
  accountId = (await newStage(own.database, clock)).accountId
})

const create = (tx: Tx, ...phones: string[]) =>
  createPeople(
    tx,
    clock,
    phones.map((phone) => ({
      accountId,
      livemode: true,
      recipient: { kind: 'phone', digits: digits(phone) },
      name: null,
    })),
  )

/** A transaction that has made people and stays open until told to commit. */
async function holding(...phones: string[]) {
  const made = Promise.withResolvers<void>()
  const mayCommit = Promise.withResolvers<void>()
  const ended = own.database.transaction(async (tx) => {
    await create(tx, ...phones)
    made.resolve()
    await mayCommit.promise
  })
  await made.promise
  return () => {
    mayCommit.resolve()
    return ended
  }
}

/** Resolves when so many statements of this database wait for a lock. */
async function waiting(count: number): Promise<void> {
  const question = "select count(*) as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
  for (let look = 0; look < 2_000; look += 1) if ((await sql<{ n: number }>(own.database, question))[0]?.n === count) return
  throw new Error(`never did ${count} statements wait`)
}

describe('people who are made by two transactions at once', () => {
  test('are waited for by whoever comes second', async () => {
    const commit = await holding(first)
    const late = own.database.transaction((tx) => create(tx, first))
    await waiting(1)
    await commit()
    expect(await late).toHaveLength(1)
  })

  test('are locked in one order, whatever the order of the batch, so that two never wait for each other in a ring', async () => {
    const commit = await holding(second)
    // Stopped by the second person, it must have the first already, who comes after in its list.
    const stopped = own.database.transaction((tx) => create(tx, second, first))
    await waiting(1)
    const behind = own.database.transaction((tx) => create(tx, first))
    try {
      await waiting(2)
    } finally {
      await commit()
    }
    expect(await Promise.all([stopped, behind])).toMatchObject([{ length: 2 }, { length: 1 }])
  })
})
