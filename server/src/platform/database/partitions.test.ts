import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts'
import { systemClock } from '../../base/clock.ts'
import { newUuid, type Uuid } from '../../base/id.ts'
import { partitionedTables } from '../../partitioned-tables.ts'
import { type Database, openDatabase, type Queries } from './database.ts'
import { daysAhead, dropOldPartitions, makePartitions, makePartitionsAt, type PartitionedTable, tablesWithout } from './partitions.ts'

const daily: PartitionedTable = { table: 'daily', every: 'day', keptDays: 30 }
const dailyMore: PartitionedTable = { table: 'daily_more', every: 'day', keptDays: 7 }
const monthly: PartitionedTable = { table: 'monthly', every: 'month', keptDays: null }
const monthlyKept: PartitionedTable = { table: 'monthly_kept', every: 'month', keptDays: 30 }
const all = [daily, dailyMore, monthly, monthlyKept]
let own: TestDatabase

beforeAll(async () => {
  own = await testDatabase()
})
afterAll(() => own.close())
beforeEach(async () => {
  for (const { table } of all) {
    await sql(`drop table if exists ${table}`)
    await sql(`create table ${table} (id uuid primary key) partition by range (id)`)
  }
})

const sql = <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
  own.database.all({ compile: () => ({ sql: text, parameters: values }) as never })

const make = (now: string, tables = all) => makePartitions(own.database, tables, new Date(now))
const drop = async (now: string, tables = all) => (await dropOldPartitions(own.database, tables, new Date(now))).dropped

async function partitionsOf(table: string): Promise<string[]> {
  const rows = await sql<{ name: string }>(
    'select inhrelid::regclass::text as name from pg_inherits where inhparent = $1::regclass order by 1',
    [table],
  )
  return rows.map((row) => row.name)
}

async function homeOf(table: string, id: Uuid): Promise<string | undefined> {
  const rows = await sql<{ home: string }>(`insert into ${table} values ($1) returning tableoid::regclass::text as home`, [id])
  return rows[0]?.home
}

test('an old partition stays while a row in it must be kept, and goes with the next look', async () => {
  // What waits, and what is marked for replay.
  const { keptWhile = '' } = partitionedTables.find(({ table }) => table === 'inbox') ?? {}
  const waiting: PartitionedTable[] = [{ table: 'waiting', every: 'day', keptDays: 7, keptWhile }]
  await sql('create table waiting (id uuid primary key, state smallint) partition by range (id)')
  try {
    await make('2026-03-02T12:00:00Z', waiting)
    const days = ['2026-03-01T12:00:00Z', '2026-03-02T12:00:00Z'].map((each) => newUuid(new Date(each)))
    await sql('insert into waiting values ($1, 1), ($2, 0)', days)
    for (const state of [0, 2]) {
      await sql('update waiting set state = $1 where id = $2', [state, days[1]])
      expect(await drop('2026-03-20T12:00:00Z', waiting)).not.toContain('waiting_20260302')
      expect(await partitionsOf('waiting')).toEqual(['waiting_20260302'])
    }
    await sql('update waiting set state = 1')
    expect(await drop('2026-03-20T12:00:00Z', waiting)).toEqual(['waiting_20260302'])
  } finally {
    await sql('drop table waiting')
  }
})

describe('making partitions', () => {
  test('makes yesterday, today and three days ahead, and months likewise, over the ends of months and years', async () => {
    await make('2026-12-31T23:59:59.999Z')
    expect(await partitionsOf('daily')).toEqual(['daily_20261230', 'daily_20261231', 'daily_20270101', 'daily_20270102', 'daily_20270103'])
    expect(await partitionsOf('monthly')).toEqual(['monthly_202612', 'monthly_202701', 'monthly_202702'])
  })

  test('makes the last month too while yesterday lies in it', async () => {
    await make('2028-03-01T00:00:00.000Z')
    expect(await partitionsOf('daily')).toContain('daily_20280229')
    expect(await partitionsOf('monthly')).toEqual(['monthly_202802', 'monthly_202803', 'monthly_202804'])
  })

  test('leaves what is there, adds what is missing, and may be done by several at once', async () => {
    await make('2026-03-02T12:00:00Z')
    await sql('insert into daily values ($1)', [newUuid(new Date('2026-03-02T12:00:00Z'))])
    await Promise.all([make('2026-03-03T00:00:00Z'), make('2026-03-03T00:00:00Z'), make('2026-03-03T00:00:00Z')])
    expect(await partitionsOf('daily')).toEqual([
      'daily_20260301',
      'daily_20260302',
      'daily_20260303',
      'daily_20260304',
      'daily_20260305',
      'daily_20260306',
    ])
    expect(await sql('select count(*) as n from daily')).toEqual([{ n: 1 }])
  })

  test('an id lies in the partition of its moment, up to the last millisecond of a day and a month', async () => {
    await make('2026-03-31T12:00:00Z')
    for (const table of ['daily', 'monthly']) {
      const [before, after] = table === 'daily' ? ['daily_20260331', 'daily_20260401'] : ['monthly_202603', 'monthly_202604']
      for (let n = 0; n < 20; n += 1) {
        expect(await homeOf(table, newUuid(new Date('2026-03-31T23:59:59.999Z')))).toBe(before)
        expect(await homeOf(table, newUuid(new Date('2026-04-01T00:00:00.000Z')))).toBe(after)
      }
    }
  })

  test('an id of a time that has no partition is refused and not lost', async () => {
    await make('2026-03-02T12:00:00Z')
    await expect(homeOf('daily', newUuid(new Date('2026-02-01T00:00:00Z')))).rejects.toThrow('no partition')
  })
})

describe('dropping partitions', () => {
  test('drops only what ended longer ago than the table keeps, and answers the names', async () => {
    await make('2026-03-02T12:00:00Z')
    expect(await drop('2026-04-01T00:00:00.000Z', [daily])).toEqual([])
    expect(await drop('2026-04-01T00:00:00.001Z', [daily])).toEqual(['daily_20260301'])
    expect(await partitionsOf('daily')).toEqual(['daily_20260302', 'daily_20260303', 'daily_20260304', 'daily_20260305'])
  })

  test('keeps for ever what is kept for ever', async () => {
    await make('2026-03-02T12:00:00Z')
    expect(await drop('2036-03-02T12:00:00Z', [monthly])).toEqual([])
  })

  test('drops a month only once its last day is old enough', async () => {
    await make('2026-03-02T12:00:00Z')
    expect(await drop('2026-05-01T00:00:00.000Z', [monthlyKept])).toEqual([])
    expect(await drop('2026-05-01T00:00:00.001Z', [monthlyKept])).toEqual(['monthly_kept_202603'])
  })

  test('never takes the partitions of a table whose name only begins alike', async () => {
    await make('2026-03-02T12:00:00Z')
    await drop('2030-01-01T00:00:00Z', [daily])
    expect(await partitionsOf('daily')).toEqual([])
    expect(await partitionsOf('daily_more')).toHaveLength(5)
  })
})

describe('beside somebody who reads all tables for long, as a nightly dump does', () => {
  /** A connection that holds what a dump holds, until it is told to end. */
  async function reading(): Promise<{ end(): Promise<void> }> {
    const { promise: ended, resolve: end } = Promise.withResolvers<void>()
    const { promise: holds, resolve: hold } = Promise.withResolvers<void>()
    const dump = dumping.transaction(async (tx) => {
      await ask(tx, 'set transaction isolation level repeatable read')
      await ask(tx, `lock table ${all.map(({ table }) => table).join(', ')} in access share mode`)
      await ask(tx, 'select count(*) from daily')
      hold()
      await ended
    })
    await holds
    return {
      async end() {
        end()
        await dump
      },
    }
  }
  const ask = <Row>(queries: Queries, text: string): Promise<Row[]> =>
    queries.all({ compile: () => ({ sql: text, parameters: [] }) as never })
  let dumping: Database
  let keeping: Database
  let patient: Database

  beforeAll(() => {
    const options = { connection: own.connection, clock: systemClock(), observe: () => {} }
    dumping = openDatabase({ ...options, connectionsMax: 1, transactionsAreBounded: false })
    keeping = openDatabase({ ...options, connectionsMax: 1, lockMsMax: 100 })
    patient = openDatabase({ ...options, connectionsMax: 1, lockMsMax: 3_000 })
  })
  afterAll(async () => {
    await dumping.close()
    await keeping.close()
    await patient.close()
  })

  test('partitions are made at once', async () => {
    await make('2026-03-02T12:00:00Z')
    const dump = await reading()
    try {
      expect(await makePartitions(keeping, all, new Date('2026-03-03T12:00:00Z'))).toEqual([])
      await makePartitionsAt(keeping, daily, [new Date('2025-11-05T12:00:00Z')])
      expect(await partitionsOf('daily')).toEqual(expect.arrayContaining(['daily_20251105', 'daily_20260306']))
    } finally {
      await dump.end()
    }
  })

  test('old ones leave the table and go when the reader has ended; what writes waits for none of it', async () => {
    await make('2026-03-02T12:00:00Z')
    await makePartitions(keeping, all, new Date('2026-04-02T12:00:00Z'))
    const dump = await reading()
    try {
      // With this much patience of its locks, whoever had to wait behind one would be seen.
      const going = dropOldPartitions(patient, [daily], new Date('2026-04-02T12:00:00Z'))
      for (let i = 0; i < 40; i += 1) {
        const beganMs = performance.now()
        await homeOf('daily', newUuid(new Date('2026-04-02T12:00:00Z')))
        expect(performance.now() - beganMs).toBeLessThan(1_000)
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
      const { dropped, troubles } = await going
      expect(dropped).toEqual([])
      expect(troubles.map((each) => each.name)).toContain('daily_20260301')
      expect((await dropOldPartitions(keeping, [daily], new Date('2026-04-02T12:00:00Z'))).dropped).toEqual([])
    } finally {
      await dump.end()
    }
    expect(await drop('2026-04-02T12:00:00Z', [daily])).toEqual(['daily_20260301', 'daily_20260302'])
    expect(await sql(`select from pg_class where relname = 'daily_20260301'`)).toEqual([])
    expect(await drop('2026-04-02T12:00:00Z', [daily])).toEqual([])
  })

  test('trouble with one table is told and stops no other, and leaves nobody waiting at the server', async () => {
    await make('2026-03-02T12:00:00Z')
    await dumping.transaction(async (tx) => {
      await ask(tx, 'lock table daily in share update exclusive mode')
      const beganMs = performance.now()
      const troubles = await makePartitions(patient, all, new Date('2026-03-03T12:00:00Z'))
      expect(troubles.map((each) => each.name)).toEqual(['daily'])
      expect(performance.now() - beganMs).toBeLessThan(1_500)
      expect(await partitionsOf('daily_more')).toContain('daily_more_20260306')
      expect(await sql(`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)).toEqual([])
    })
    expect(await makePartitions(keeping, all, new Date('2026-03-03T12:00:00Z'))).toEqual([])
  })
})

test('it is known for how many days there are partitions', async () => {
  await make('2026-03-02T12:00:00Z')
  expect(await daysAhead(own.database, all, new Date('2026-03-02T12:00:00Z'))).toEqual(
    new Map([
      ['daily', 3],
      ['daily_more', 3],
      ['monthly', 59],
      ['monthly_kept', 59],
    ]),
  )
  expect((await daysAhead(own.database, all, new Date('2026-03-07T12:00:00Z'))).get('daily')).toBe(0)
})

test('it is known which tables lack the partition of a moment, also one that was taken from its table', async () => {
  await make('2026-03-02T12:00:00Z')
  const lacking = (at: string) => tablesWithout(own.database, all, new Date(at))
  expect(await lacking('2026-03-02T12:00:00Z')).toEqual([])
  expect((await lacking('2026-03-12T12:00:00Z')).toSorted()).toEqual(['daily', 'daily_more'])
  await sql('alter table monthly detach partition monthly_202603')
  expect(await lacking('2026-03-02T12:00:00Z')).toEqual(['monthly'])
})
