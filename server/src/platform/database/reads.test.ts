import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts'
import { manualClock, systemClock } from '../../base/clock.ts'
import { newUuid } from '../../base/id.ts'
import type { Queries } from './database.ts'
import { isOutage } from './failure.ts'
import { openReads, type Reads } from './reads.ts'
import { SharesFull } from './shares.ts'

let own: TestDatabase
let reads: Reads

beforeAll(async () => {
  own = await testDatabase()
  reads = openReads({ connection: own.connection, clock: systemClock(), observe: () => {} })
})
afterAll(async () => {
  await reads.close()
  await own.close()
})

const sql = <Row>(queries: Queries, text: string): Promise<Row[]> =>
  queries.all({ compile: () => ({ sql: text, parameters: [] }) as never })
const account = () => newUuid(new Date())

test('an account whose reads are slow holds two connections at most, and one that comes then is served', async () => {
  const slow = reads.of(account())
  const noise = [1, 2, 3, 4, 5, 6].map(() => sql(slow, 'select pg_sleep(0.3)'))
  expect(await sql(reads.of(account()), 'select 1 as n')).toEqual([{ n: 1 }])
  const rows = await sql<{ n: number }>(
    own.database,
    `select count(*) as n from pg_stat_activity where application_name = 'pombo reads' and state = 'active'`,
  )
  expect(rows[0]?.n).toBeLessThanOrEqual(2)
  await Promise.all(noise)
})

test('more reads of one account than may wait are refused at once', async () => {
  const queries = reads.of(account())
  const fates = await Promise.allSettled(Array.from({ length: 2_020 }, () => sql(queries, 'select 1')))
  const refused = fates.filter((fate) => fate.status === 'rejected')
  expect(refused).toHaveLength(18)
  for (const fate of refused) expect(fate.reason).toBeInstanceOf(SharesFull)
})

test('what is looked for in steps is over after three seconds of all of them together, and as soon as the caller has gone', async () => {
  const clock = manualClock('2026-11-27T21:11:41.747Z')
  const ofClock = openReads({ connection: own.connection, clock, observe: () => {} })
  const gone = { is: false }
  const [first, second] = [ofClock.of(account(), () => gone.is), ofClock.of(account())]
  clock.advance(2_999)
  expect(first.isOver()).toBe(false)
  gone.is = true
  expect([first.isOver(), second.isOver()]).toEqual([true, false])
  clock.advance(1)
  expect(second.isOver()).toBe(true)
  await ofClock.close()
})

test('a read that takes longer than its answer is worth is given up, here and at the server', async () => {
  await expect(sql(reads.of(account()), 'select pg_sleep(30)')).rejects.toSatisfy(isOutage)
  const untilMs = performance.now() + 2_000
  const running = `select count(*) as n from pg_stat_activity where application_name = 'pombo reads' and state = 'active'`
  while ((await sql<{ n: number }>(own.database, running))[0]?.n !== 0) expect(performance.now()).toBeLessThan(untilMs)
})
