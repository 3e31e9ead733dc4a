import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts'
import { type LossyConnection, lossyConnection } from '../../../test/support/lossy-connection.ts'
import { systemClock } from '../../base/clock.ts'
import { type Database, type DatabaseObservation, openDatabase, type Queries } from './database.ts'
import { isDataFailure, isOutage, sqlState } from './failure.ts'
import { statement } from './statement.ts'

let own: TestDatabase
let lossy: LossyConnection
let seen: DatabaseObservation[] = []
const opened: Database[] = []

beforeAll(async () => {
  own = await testDatabase()
  lossy = await lossyConnection(own.connection)
  await sql(own.database, 'create table tally (name text primary key, n integer not null default 0)')
})
beforeEach(async () => {
  seen = []
  await sql(own.database, 'truncate tally')
  await sql(own.database, "insert into tally values ('a', 0), ('b', 0)")
})
afterAll(async () => {
  for (const each of opened) await each.close()
  await lossy.close()
  await own.close()
})

const sql = <Row>(queries: Queries, text: string, values: unknown[] = []): Promise<Row[]> =>
  queries.all({ compile: () => ({ sql: text, parameters: values }) as never })

function open(connection = own.connection, connectionsMax = 4): Database {
  const database = openDatabase({ connection, clock: systemClock(), observe: (each) => seen.push(each), connectionsMax })
  opened.push(database)
  return database
}

const add = (queries: Queries, name: string) => sql(queries, 'update tally set n = n + 1 where name = $1', [name])
const tally = async () => {
  const rows = await sql<{ name: string; n: number }>(own.database, 'select name, n from tally order by name')
  return Object.fromEntries(rows.map((row) => [row.name, row.n]))
}
const pidOf = async (queries: Queries) => (await sql<{ pid: number }>(queries, 'select pg_backend_pid() as pid'))[0]?.pid ?? 0
const kill = (pid: number) => sql(own.database, 'select pg_terminate_backend($1, 5000)', [pid])

describe('what comes back', () => {
  test('int8 is a number while that is exact, and else an error', async () => {
    const [row] = await sql<{ n: number }>(own.database, 'select 9007199254740991::int8 as n')
    expect(row?.n).toBe(Number.MAX_SAFE_INTEGER)
    await expect(sql(own.database, 'select 9007199254740993::int8 as n')).rejects.toThrow('bug')
    expect(await sql(own.database, 'select count(*) as n from tally')).toEqual([{ n: 2 }])
  })

  test('json stays the text that it was', async () => {
    const text = '{"b":1, "a":12345678901234567890}'
    expect(await sql(own.database, 'select $1::json as value', [text])).toEqual([{ value: text }])
  })

  test('a moment is a date, also before and after all others', async () => {
    type Row = { earliest: Date; at: Date; latest: Date }
    const text = `select '-infinity'::timestamptz as earliest, '2026-01-02T03:04:05.678Z'::timestamptz as at, 'infinity'::timestamptz as latest`
    const [row] = await sql<Row>(own.database, text)
    expect(row?.at).toEqual(new Date('2026-01-02T03:04:05.678Z'))
    expect(row?.earliest.getTime()).toBeLessThan(0)
    expect(row?.latest.getTime()).toBeGreaterThan(Date.parse('9999-12-31T00:00:00Z'))
  })

  test('a prepared statement answers alike each time', async () => {
    const twice = statement('test_twice', 'select $1::integer * 2 as n')
    for (const n of [1, 2, 3]) expect(await own.database.run(twice, [n])).toEqual([{ n: n * 2 }])
  })
})

describe('a transaction', () => {
  test('commits all or nothing, and throws what its work threw', async () => {
    await own.database.transaction((tx) => add(tx, 'a'))
    const failed = own.database.transaction(async (tx) => {
      await add(tx, 'b')
      throw new Error('ours')
    })
    await expect(failed).rejects.toThrow('ours')
    expect(await tally()).toEqual({ a: 1, b: 0 })
  })

  test('whose work passed over a failed statement is not taken for committed', async () => {
    const swallowed = own.database.transaction(async (tx) => {
      await add(tx, 'a')
      await sql(tx, 'select 1 / 0').catch(() => {})
    })
    await expect(swallowed).rejects.toThrow()
    expect(await tally()).toEqual({ a: 0, b: 0 })
  })

  test('gives its connection back also after a failure', async () => {
    const database = open(own.connection, 1)
    for (let n = 0; n < 3; n += 1) await expect(database.transaction((tx) => sql(tx, 'select 1 / 0'))).rejects.toThrow()
    expect(await sql(database, 'select 1 as n')).toEqual([{ n: 1 }])
  })
})

describe('repeatable work', () => {
  test('is done again after a serialization failure', async () => {
    const attempts: number[] = []
    const strict = { ...own.connection, options: '-c default_transaction_isolation=repeatable\\ read' }
    await open(strict).repeatable(async (tx, attempt) => {
      attempts.push(attempt)
      await sql(tx, 'select * from tally')
      // Someone else changes the row after our snapshot was taken.
      if (attempt === 1) await add(own.database, 'a')
      await add(tx, 'a')
    })
    expect(attempts).toEqual([1, 2])
    expect(await tally()).toMatchObject({ a: 2 })
    expect(seen).toContainEqual({ kind: 'database.retry', attempt: 1, state: '40001' })
  })

  test('is done again after a deadlock, and both sides have effect once', async () => {
    const database = open()
    let bothIn = () => {}
    const met = new Promise<void>((resolve) => {
      bothIn = resolve
    })
    let inside = 0
    const crossed = (first: string, second: string) =>
      database.repeatable(async (tx, attempt) => {
        await sql(tx, "set local deadlock_timeout = '20ms'")
        await add(tx, first)
        inside += 1
        if (inside === 2) bothIn()
        if (attempt === 1) await met
        await add(tx, second)
      })
    await Promise.all([crossed('a', 'b'), crossed('b', 'a')])
    expect(await tally()).toEqual({ a: 2, b: 2 })
    expect(seen).toContainEqual({ kind: 'database.retry', attempt: 1, state: '40P01' })
  })

  test('gives its locks up when it hangs, and is then done again', async () => {
    const attempts: number[] = []
    await open(own.connection, 1).repeatable(async (tx, attempt) => {
      attempts.push(attempt)
      expect(await sql(tx, "select current_setting('idle_in_transaction_session_timeout') as limit")).toEqual([{ limit: '10s' }])
      if (attempt === 1) await sql(tx, "set local idle_in_transaction_session_timeout = '50ms'")
      await add(tx, 'a')
      // Somebody else waits for the row for as long as we hold it.
      if (attempt === 1) await add(own.database, 'a')
      await add(tx, 'b')
    })
    expect(attempts).toEqual([1, 2])
    expect(await tally()).toEqual({ a: 2, b: 1 })
  })

  test('is done again when its backend is ended, on another connection', async () => {
    const pids: number[] = []
    await open(own.connection, 1).repeatable(async (tx, attempt) => {
      pids.push(await pidOf(tx))
      await add(tx, 'a')
      if (attempt === 1) await kill(pids[0] ?? 0)
      await add(tx, 'b')
    })
    expect(new Set(pids).size).toBe(2)
    expect(await tally()).toEqual({ a: 1, b: 1 })
  })

  test('whose commit was done and whose answer was lost is done twice, and knows that it may be', async () => {
    lossy.loseCommitAnswers(1)
    const attempts: number[] = []
    await open(lossy.connection).repeatable(async (tx, attempt) => {
      attempts.push(attempt)
      await add(tx, 'a')
    })
    expect(attempts).toEqual([1, 2])
    expect(await tally()).toMatchObject({ a: 2 })
  })

  test('is not done again before the commit of the attempt before, which was cut off, has ended', async () => {
    await sql(own.database, 'create table held (n integer)')
    await sql(
      own.database,
      `create function hold_commit() returns trigger language plpgsql as
        'begin perform pg_advisory_xact_lock_shared(4711); return null; end'`,
    )
    await sql(
      own.database,
      'create constraint trigger hold after insert on held deferrable initially deferred for each row execute function hold_commit()',
    )
    const gate = Promise.withResolvers<void>()
    const closed = Promise.withResolvers<void>()
    const holding = own.database.transaction(async (tx) => {
      await sql(tx, 'select pg_advisory_xact_lock(4711)')
      closed.resolve()
      await gate.promise
    })
    await closed.promise
    lossy.cutDuringCommits(1)
    const before: number[] = []
    const held = open(lossy.connection).repeatable(async (tx, attempt) => {
      before.push((await sql(tx, 'select n from held')).length)
      if (attempt === 1) await sql(tx, 'insert into held values (1)')
    })
    await vi.waitFor(() => expect(seen).toContainEqual({ kind: 'database.retry', attempt: 1, state: 'connection' }))
    gate.resolve()
    await Promise.all([holding, held])
    expect(before).toEqual([0, 1])
  })

  test('is done again, on another connection, where the server takes no writes any more', async () => {
    const pids: number[] = []
    await open(own.connection, 1).repeatable(async (tx, attempt) => {
      pids.push(await pidOf(tx))
      if (attempt === 1) await sql(tx, 'set local transaction_read_only = on')
      await add(tx, 'a')
    })
    expect(new Set(pids).size).toBe(2)
    expect(seen).toContainEqual({ kind: 'database.retry', attempt: 1, state: '25006' })
    expect(await tally()).toMatchObject({ a: 1 })
  })

  test.each([
    ['57014', "set local statement_timeout = '20ms'", 'select pg_sleep(5)'],
    ['55P03', "set local lock_timeout = '20ms'", "update tally set n = n where name = 'b'"],
    // One that runs already is not shortened: it is switched off first.
    ['25P04', "set local transaction_timeout = 0; set local transaction_timeout = '20ms'", 'select pg_sleep(5)'],
  ])('is done again after a limit of time that the server kept (%s)', async (state, limit, work) => {
    const locked = Promise.withResolvers<void>()
    const release = Promise.withResolvers<void>()
    const holding = own.database.transaction(async (tx) => {
      await add(tx, 'b')
      locked.resolve()
      await release.promise
    })
    await locked.promise
    await open().repeatable(async (tx, attempt) => {
      if (attempt === 1) await sql(tx, limit)
      if (attempt === 1) await sql(tx, work)
      await add(tx, 'a')
    })
    release.resolve()
    await holding
    expect(seen).toContainEqual({ kind: 'database.retry', attempt: 1, state })
    expect(await tally()).toMatchObject({ a: 1 })
  })

  test('is given up after five attempts', async () => {
    const attempts: number[] = []
    const stubborn = open().repeatable(async (_tx, attempt) => {
      attempts.push(attempt)
      throw Object.assign(new Error('no answer'), { code: 'ECONNRESET' })
    })
    await expect(stubborn).rejects.toThrow('no answer')
    expect(attempts).toEqual([1, 2, 3, 4, 5])
  })

  test('is not repeated for a bug or for data that are refused', async () => {
    let attempts = 0
    const failing = (text: string) =>
      own.database.repeatable(async (tx) => {
        attempts += 1
        await sql(tx, text)
      })
    await expect(failing("insert into tally values ('a', 1)")).rejects.toSatisfy(isDataFailure)
    await expect(failing('select nothing from nowhere')).rejects.toThrow()
    expect(attempts).toBe(2)
  })
})

describe('a lost connection', () => {
  test('leaves the pool, whether it was idle or in use, and the next query has another one', async () => {
    const database = open(own.connection, 1)
    const idle = await pidOf(database)
    await kill(idle)
    const next = await pidOfSurely(database)
    expect(next).not.toBe(idle)
    await expect(
      database.transaction(async (tx) => {
        await kill(await pidOf(tx))
        await sql(tx, 'select 1')
      }),
    ).rejects.toSatisfy(isOutage)
    expect(await pidOfSurely(database)).not.toBe(next)
  })

  /** An idle connection's end may be told a moment after the server has ended it: one failure is allowed. */
  const pidOfSurely = (database: Database) => pidOf(database).catch(() => pidOf(database))

  test('while the server is away is an outage, and over when it is back', async () => {
    const database = open(lossy.connection)
    await pidOf(database)
    lossy.cut()
    await expect(database.transaction((tx) => add(tx, 'a'))).rejects.toSatisfy(isOutage)
    lossy.heal()
    await database.repeatable((tx) => add(tx, 'a'))
    expect(await tally()).toMatchObject({ a: 1 })
  })

  test('that fails a statement of its own is an outage too', async () => {
    const database = open(lossy.connection)
    lossy.cut()
    await expect(sql(database, 'select 1')).rejects.toSatisfy((error) => isOutage(error) && sqlState(error) === null)
    lossy.heal()
  })
})

describe('what the client gave up', () => {
  const backends = (name: string) =>
    sql<{ n: number }>(own.database, `select count(*) as n from pg_stat_activity where application_name = $1 and state <> 'idle'`, [name])

  /** Resolves once none of these connections does anything at the server; throws after two seconds. */
  async function untilNothingRuns(name: string): Promise<void> {
    const untilMs = performance.now() + 2_000
    while ((await backends(name))[0]?.n !== 0) {
      if (performance.now() > untilMs) throw new Error('the server still works for nobody')
      await sql(own.database, 'select pg_sleep(0.05)')
    }
  }

  test.each(['a statement', 'a statement of a transaction'])('ends at the server too: %s', async (what) => {
    const name = `pombo ${what}`
    const database = openDatabase({ connection: own.connection, clock: systemClock(), observe: () => {}, name, queryMsMax: 100 })
    opened.push(database)
    const asked =
      what === 'a statement' ? sql(database, 'select pg_sleep(30)') : database.transaction((tx) => sql(tx, 'select pg_sleep(30)'))
    await expect(asked).rejects.toSatisfy(isOutage)
    await untilNothingRuns(name)
  })

  test('also while it waits for a lock that somebody holds', async () => {
    const name = 'pombo waiting'
    const database = openDatabase({ connection: own.connection, clock: systemClock(), observe: () => {}, name, queryMsMax: 100 })
    opened.push(database)
    await own.database.transaction(async (tx) => {
      await sql(tx, 'lock table tally')
      await expect(add(database, 'a')).rejects.toSatisfy(isOutage)
      await untilNothingRuns(name)
    })
  })
})

describe('the server ends', () => {
  const settingsOf = async (queries: Queries) => {
    const rows = await sql<{ name: string; setting: string }>(queries, 'select name, setting from pg_settings where name = any($1)', [
      ['statement_timeout', 'lock_timeout', 'idle_session_timeout', 'transaction_timeout', 'client_connection_check_interval'],
    ])
    return Object.fromEntries(rows.map((row) => [row.name, Number(row.setting)]))
  }

  test('what takes longer than the client waits, and what a client that stands still has left', async () => {
    expect(await settingsOf(open())).toEqual({
      client_connection_check_interval: 1_000,
      idle_session_timeout: 300_000,
      lock_timeout: 9_000,
      statement_timeout: 11_000,
      transaction_timeout: 60_000,
    })
  })

  test('a transaction has its limits from its own first statement on, so that a pooler cannot lose them', async () => {
    const database = open(own.connection, 1)
    await sql(database, 'set statement_timeout = 0; set lock_timeout = 0')
    expect(await database.transaction(settingsOf)).toMatchObject({ statement_timeout: 11_000, lock_timeout: 9_000 })
  })

  test('a wait for a lock, which is an outage and leaves the transaction’s connection as it is', async () => {
    const database = openDatabase({
      ...{ connection: own.connection, clock: systemClock(), observe: () => {} },
      ...{ connectionsMax: 1, lockMsMax: 50 },
    })
    opened.push(database)
    const pid = await pidOf(database)
    await own.database.transaction(async (tx) => {
      await sql(tx, 'lock table tally')
      await expect(database.transaction((each) => add(each, 'a'))).rejects.toSatisfy(
        (error) => sqlState(error) === '55P03' && isOutage(error),
      )
    })
    expect(await pidOf(database)).toBe(pid)
  })
})

test('a server that has no connection left is an outage that is told soon, and over when it has some again', async () => {
  await sql(own.database, `create role crowded login connection limit 1`)
  const crowded = { ...own.connection, user: 'crowded' }
  const database = open(crowded, 4)
  const held = Promise.allSettled([1, 2, 3, 4].map(() => sql(database, 'select pg_sleep(0.2)')))
  const fates = await held
  expect(fates.filter((fate) => fate.status === 'fulfilled').length).toBeGreaterThan(0)
  for (const fate of fates) if (fate.status === 'rejected') expect(isOutage(fate.reason) && sqlState(fate.reason) === '53300').toBe(true)
  expect(await sql(database, 'select 1 as n')).toEqual([{ n: 1 }])
  await database.close()
  opened.splice(opened.indexOf(database), 1)
  await sql(own.database, 'drop role crowded')
})

test('the offset to the database clock is small on one machine', async () => {
  expect(Math.abs((await own.database.measureClockOffset()).offsetMs)).toBeLessThan(2_000)
})
