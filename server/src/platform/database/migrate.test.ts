import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts'
import { systemClock } from '../../base/clock.ts'
import { type Database, openDatabase } from './database.ts'
import { MigrationMismatch, migrate, migrationsAreApplied } from './migrate.ts'

const now = new Date('2026-03-02T12:00:00Z')
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
const file = (name: string, text: string) => writeFile(join(directory, name), text)

describe('migrating', () => {
  test('applies what is missing, in order of names, once', async () => {
    await file('0002_second.sql', 'insert into one values (2); create table two (n integer);')
    await file('notes.txt', 'no migration')
    expect(await migrationsApplied()).toBe(false)
    expect(await migrate(database, url, now)).toEqual(['0001_first.sql', '0002_second.sql'])
    expect(await migrate(database, url, now)).toEqual([])
    await file('0003_third.sql', 'insert into one values (3);')
    expect(await migrationsApplied()).toBe(false)
    expect(await migrate(database, url, now)).toEqual(['0003_third.sql'])
    expect(await migrationsApplied()).toBe(true)
    expect(await sql(database, 'select n from one order by n')).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }])
  })

  const migrationsApplied = () => migrationsAreApplied(database, url).catch(() => false)

  test('is all or nothing', async () => {
    await file('0002_broken.sql', 'create table two (n integer); select 1 / 0;')
    await expect(migrate(database, url, now)).rejects.toThrow()
    expect(await sql(database, "select to_regclass('one') as one, to_regclass('two') as two")).toEqual([{ one: null, two: null }])
  })

  test('refuses a file that was edited after it had been applied', async () => {
    await migrate(database, url, now)
    await file('0001_first.sql', 'create table one (n integer); insert into one values (11);')
    await file('0002_second.sql', 'create table two (n integer);')
    await expect(migrate(database, url, now)).rejects.toThrow(MigrationMismatch)
    expect(await sql(database, "select to_regclass('two') as two")).toEqual([{ two: null }])
  })

  test('refuses a database that a newer version has migrated', async () => {
    await file('0002_newer.sql', 'create table two (n integer);')
    await migrate(database, url, now)
    await rm(join(directory, '0002_newer.sql'))
    await expect(migrate(database, url, now)).rejects.toThrow('0002_newer.sql')
  })

  test('by two at once applies everything once', async () => {
    const other = openEmpty()
    const applied = await Promise.all([migrate(database, url, now), migrate(other, url, now)])
    await other.close()
    expect(applied.map((names) => names.length).toSorted()).toEqual([0, 1])
    expect(await sql(database, 'select n from one')).toEqual([{ n: 1 }])
  })
})
