import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts'
import { systemClock } from '../../base/clock.ts'
import { type Database, openDatabase } from './database.ts'
import { MigrationMismatch, type MigrationObservation, MigrationStuck, migrate, migrationsAreApplied } from './migrate.ts'

let own: TestDatabase
let directory: string
let url: URL
let database: Database
let schemas = 0

beforeAll(async () => {
  own = await testDatabase()
})
afterAll(() => own.close())

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'pombo-test-migrations-'))
  url = pathToFileURL(`${directory}/`)
  schemas += 1
  seen = []
  await sql(own.database, `create schema empty_${schemas}`)
  database = openEmpty()
  await file('0001_first.sql', 'create table one (n integer); insert into one values (1);')
})
afterEach(async () => {
  await database.close()
  await rm(directory, { recursive: true, force: true })
})

/** A schema of its own is as good as an empty database. */
function openEmpty(): Database {
  const connection = { ...own.connection, options: `-c search_path=empty_${schemas}` }
  return openDatabase({ connection, clock: systemClock(), observe: () => {} })
}

const sql = <Row>(queries: Database, text: string): Promise<Row[]> =>
  queries.all({ compile: () => ({ sql: text, parameters: [] }) as never })
let seen: MigrationObservation[] = []
const on = (each: Database) => ({ database: each, clock: systemClock(), observe: (one: MigrationObservation) => void seen.push(one) })
const file = (name: string, text: string) => writeFile(join(directory, name), text)

describe('migrating', () => {
  test('applies what is missing, in order of names, once', async () => {
    await file('0002_second.sql', 'insert into one values (2); create table two (n integer);')
    await file('notes.txt', 'no migration')
    expect(await migrationsApplied()).toBe(false)
    expect(await migrate(on(database), url)).toEqual(['0001_first.sql', '0002_second.sql'])
    expect(await migrate(on(database), url)).toEqual([])
    await file('0003_third.sql', 'insert into one values (3);')
    expect(await migrationsApplied()).toBe(false)
    expect(await migrate(on(database), url)).toEqual(['0003_third.sql'])
    expect(await migrationsApplied()).toBe(true)
    expect(await sql(database, 'select n from one order by n')).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }])
  })

  const migrationsApplied = () => migrationsAreApplied(database, url).catch(() => false)

  test('of an empty database is all or nothing', async () => {
    await file('0002_broken.sql', 'create table two (n integer); select 1 / 0;')
    await expect(migrate(on(database), url)).rejects.toThrow()
    expect(await sql(database, "select to_regclass('one') as one, to_regclass('two') as two")).toEqual([{ one: null, two: null }])
  })

  test('refuses a file that was edited after it had been applied', async () => {
    await migrate(on(database), url)
    await file('0001_first.sql', 'create table one (n integer); insert into one values (11);')
    await file('0002_second.sql', 'create table two (n integer);')
    await expect(migrate(on(database), url)).rejects.toThrow(MigrationMismatch)
    expect(await sql(database, "select to_regclass('two') as two")).toEqual([{ two: null }])
  })

  test('refuses a database that a newer version has migrated', async () => {
    await file('0002_newer.sql', 'create table two (n integer);')
    await migrate(on(database), url)
    await rm(join(directory, '0002_newer.sql'))
    await expect(migrate(on(database), url)).rejects.toThrow('0002_newer.sql')
  })

  test('by two at once applies everything once', async () => {
    const other = openEmpty()
    const applied = await Promise.all([migrate(on(database), url), migrate(on(other), url)])
    await other.close()
    expect(applied.map((names) => names.length).toSorted()).toEqual([0, 1])
    expect(await sql(database, 'select n from one')).toEqual([{ n: 1 }])
  })

  test('leaves applied what came before a migration that fails', async () => {
    await migrate(on(database), url)
    await file('0002_second.sql', 'create table two (n integer);')
    await file('0003_broken.sql', 'create table three (n integer); select 1 / 0;')
    await expect(migrate(on(database), url)).rejects.toThrow()
    expect(await sql(database, "select to_regclass('two') is null as two, to_regclass('three') is null as three")).toEqual([
      { two: false, three: true },
    ])
    expect(seen).toEqual([{ kind: 'migration.applied', name: '0001_first.sql' }])
    await file('0003_broken.sql', 'create table three (n integer);')
    expect(await migrate(on(database), url)).toEqual(['0003_broken.sql'])
  })
})

describe('beside somebody who reads for long, and others who work', () => {
  /** Holds a table as a dump does; the answer ends it. */
  async function reading(): Promise<() => Promise<void>> {
    const { promise: ended, resolve: end } = Promise.withResolvers<void>()
    const { promise: holds, resolve: hold } = Promise.withResolvers<void>()
    const reader = database.transaction(async (tx) => {
      await tx.all({ compile: () => ({ sql: 'select count(*) from one', parameters: [] }) as never })
      hold()
      await ended
    })
    await holds
    return async () => {
      end()
      await reader
    }
  }
  const patience = { lockMs: 50, waitMs: 60_000 }

  test('a migration gives way again and again, those who write do not wait behind it, and it comes through after', async () => {
    await migrate(on(database), url)
    await file('0002_second.sql', 'alter table one add column m integer;')
    const end = await reading()
    const migrating = migrate(on(database), url, patience)
    for (let n = 2; n < 40; n += 1) {
      const beganMs = performance.now()
      await sql(database, `insert into one values (${n})`)
      expect(performance.now() - beganMs).toBeLessThan(1_000)
    }
    await untilSeen({ kind: 'migration.waits', name: '0002_second.sql', because: 'somebody holds its tables' })
    await end()
    expect(await migrating).toEqual(['0002_second.sql'])
  })

  /** Resolves once it was observed. */
  async function untilSeen(wanted: MigrationObservation): Promise<void> {
    while (!seen.some((each) => JSON.stringify(each) === JSON.stringify(wanted))) await sql(database, 'select pg_sleep(0.02)')
  }

  test('one that never gets its locks ends in a sentence, and a process that waits for it likewise', async () => {
    await migrate(on(database), url)
    await file('0002_second.sql', 'alter table one add column m integer;')
    const end = await reading()
    try {
      const first = migrate(on(database), url, { lockMs: 20, waitMs: 1_000 })
      first.catch(() => {})
      await untilSeen({ kind: 'migration.waits', name: '0002_second.sql', because: 'somebody holds its tables' })
      await expect(migrate(on(database), url, { lockMs: 20, waitMs: 0 })).rejects.toThrow(/0002_second.sql .* another process migrates/)
      await expect(first).rejects.toThrow(MigrationStuck)
    } finally {
      await end()
    }
  })

  test.each([
    ['a table', 'create table many (n integer); insert into many select generate_series(1, 100)', 1],
    [
      'each part of a partitioned table',
      `create table many (n integer) partition by range (n);
      create table many_low partition of many for values from (0) to (50); create table many_high partition of many for values from (50) to (200);
      insert into many select generate_series(1, 100)`,
      3,
    ],
  ])('an index of %s is built while others write, and what an interrupted run left is mended', async (_what, made, indexes) => {
    await migrate(on(database), url)
    await sql(database, made)
    const part = indexes === 1 ? 'many' : 'many_high'
    // As it is left where two rows are alike: invalid.
    await sql(database, `create unique index concurrently ${part === 'many' ? '' : 'many_high_'}many_by_n on ${part} ((n % 2))`).catch(
      () => {},
    )
    await file(
      '0002_index.sql',
      '-- concurrently\n-- For look-ups.\ncreate index concurrently many_by_n on many (n)\n  where n > 0;\ndrop index if exists absent;\n',
    )
    expect(await migrate(on(database), url)).toEqual(['0002_index.sql'])
    const found = `select count(*) as n from pg_index where indrelid::regclass::text like 'many%' and indisvalid and not indisunique`
    expect(await sql(database, found)).toEqual([{ n: indexes }])
    await sql(database, `delete from schema_migration where name = '0002_index.sql'`)
    expect(await migrate(on(database), url)).toEqual(['0002_index.sql'])
    expect(await sql(database, found)).toEqual([{ n: indexes }])
  })
})
