import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts'
import { type ManualClock, manualClock } from '../../base/clock.ts'
import { newUuid, type Uuid } from '../../base/id.ts'
import type { Database, Queries, Tx } from '../database/database.ts'
import { statement } from '../database/statement.ts'
import { fence, fenceValues } from './fence.ts'
import { timelineNow } from './history-store.ts'
import { createOwnership, type Ownership, type OwnershipObservation } from './ownership.ts'
import { shardCount, shardOf } from './shard.ts'
import { takeShards } from './store.ts'

let own: TestDatabase
const running: Ownership[] = []

beforeAll(async () => {
  own = await testDatabase()
})
afterAll(() => own.close())
beforeEach(async () => {
  await sql(own.database, 'update shard set owner = null, epoch = 0')
  await sql(own.database, 'delete from process')
})
afterEach(async () => {
  for (const each of running.splice(0)) await each.stop()
})

const sql = <Row>(queries: Queries, text: string, values: unknown[] = []): Promise<Row[]> =>
  queries.all({ compile: () => ({ sql: text, parameters: values }) as never })

type Process = Ownership & { clock: ManualClock; observed: OwnershipObservation[] }

/** A gateway's share of the work; its beats come when its own clock is advanced. */
function gateway(options: { alone?: boolean; database?: Database } = {}): Process {
  const clock = manualClock(new Date().toISOString())
  const observed: OwnershipObservation[] = []
  const ownership = createOwnership(
    { database: options.database ?? own.database, clock, observe: (each) => observed.push(each) },
    { alone: options.alone ?? false },
  )
  running.push(ownership)
  return { ...ownership, clock, observed }
}

/** Lets a process beat until it owns that many shards. */
async function until(process: Process, shards: number): Promise<void> {
  await vi.waitFor(
    () => {
      process.clock.advance(250)
      expect(process.owned().size).toBe(shards)
    },
    { timeout: 10_000, interval: 5 },
  )
}

/** Time passes for it, and what falls due in it is worked off. */
async function beatOf(process: Process, ms: number): Promise<void> {
  process.clock.advance(ms)
  await new Promise((resolve) => setTimeout(resolve, 15))
}

const die = ({ processId }: Process) =>
  sql(own.database, "update process set alive_until = clock_timestamp() - interval '1 millisecond' where id = $1", [processId])
const ownersInDatabase = async () => {
  const rows = await sql<{ owner: Uuid | null; n: number }>(own.database, 'select owner, count(*) as n from shard group by owner')
  return new Map(rows.map((row) => [row.owner, row.n]))
}
const shardsOf = (process: Process) => new Set(process.owned().keys())

describe('sharing out', () => {
  test('a lone process takes all shards at its start', async () => {
    const one = gateway()
    await one.start()
    expect(one.owned().size).toBe(shardCount)
    expect(await ownersInDatabase()).toEqual(new Map([[one.processId, shardCount]]))
  })

  test('half is handed over when a second joins, a third when a third does, and no shard has two owners', async () => {
    const [one, two, three] = [gateway(), gateway(), gateway()]
    await one.start()
    await two.start()
    expect(two.owned().size).toBe(0)
    await until(one, 128)
    await until(two, 128)
    expect(shardsOf(one).isDisjointFrom(shardsOf(two))).toBe(true)

    await three.start()
    await until(one, 86)
    await until(two, 86)
    await until(three, 84)
    expect(shardsOf(three).isDisjointFrom(shardsOf(one).union(shardsOf(two)))).toBe(true)
    expect(one.processes()).toBe(3)
  })

  test('a shard in which something is under way is handed over when that has ended, the idle ones at once', async () => {
    const [one, two] = [gateway(), gateway()]
    await one.start()
    const busy = new Set<number>()
    one.beforeRelease({ resting: async () => {}, busyShards: () => busy })
    for (const shard of [...one.owned().keys()].slice(0, 2)) busy.add(shard)
    await two.start()
    await until(one, 128)
    // Nothing new may start in them, and nobody else has them yet.
    expect([...busy].some((shard) => one.owned().has(shard))).toBe(false)
    await until(two, 126)
    // However long it takes, the beat goes on and keeps the rest.
    for (let passedMs = 0; passedMs < 30_000; passedMs += 1_000) await beatOf(one, 1_000)
    expect(one.owned().size).toBe(128)
    expect(await ownersInDatabase()).toEqual(
      new Map([
        [one.processId, 130],
        [two.processId, 126],
      ]),
    )
    busy.clear()
    await until(one, 128)
    await until(two, 128)
  })

  test('a hand-over that the database refused is made again', async () => {
    let refuses = false
    const database: Database = {
      ...own.database,
      run: (asked, values) =>
        refuses && asked.name === 'release_shards' ? Promise.reject(new Error('canceled')) : own.database.run(asked, values),
    }
    const [one, two] = [gateway({ database }), gateway()]
    await one.start()
    refuses = true
    await two.start()
    await until(one, 128)
    await vi.waitFor(() => {
      one.clock.advance(250)
      expect(one.observed).toContainEqual(expect.objectContaining({ kind: 'lane.tick_failed', lane: 'hand-over' }))
    })
    expect(two.owned().size).toBe(0)
    refuses = false
    await until(one, 128)
    await until(two, 128)
  })

  test('nothing is handed over while a look that began before may still start something in it', async () => {
    const [one, two] = [gateway(), gateway()]
    await one.start()
    const look = Promise.withResolvers<void>()
    one.beforeRelease({ resting: () => look.promise, busyShards: () => [] })
    await two.start()
    await until(one, 128)
    for (let passedMs = 0; passedMs < 6_000; passedMs += 1_000) await beatOf(one, 1_000)
    expect(await ownersInDatabase()).toEqual(new Map([[one.processId, shardCount]]))
    look.resolve()
    await until(one, 128)
    await until(two, 128)
  })

  test('those who listen hear what came and what went', async () => {
    const [one, two] = [gateway(), gateway()]
    const changes: [number, number][] = []
    one.onChange(({ taken, gone }) => changes.push([taken.length, gone.length]))
    await one.start()
    await two.start()
    await until(one, 128)
    expect(changes).toEqual([
      [256, 0],
      [0, 128],
    ])
  })
})

describe('a process that ends', () => {
  test('cleanly gives everything back at once', async () => {
    const one = gateway()
    await one.start()
    await running.shift()?.stop()
    const two = gateway()
    await two.start()
    expect(two.owned().size).toBe(shardCount)
    expect(one.owned().size).toBe(0)
  })

  test('cleanly beside another gives back at once what is idle, and the other takes it while the rest ends', async () => {
    const [one, two] = [gateway(), gateway()]
    await one.start()
    const busy = new Set([...one.owned().keys()].slice(0, 1))
    one.beforeRelease({ resting: async () => {}, busyShards: () => busy })
    await two.start()
    await until(one, 128)
    await until(two, 127)
    let retired = false
    const end = one.retire().then(() => {
      retired = true
    })
    expect(one.owned().size).toBe(0)
    await vi.waitFor(() => {
      one.clock.advance(250)
      two.clock.advance(250)
      expect(two.owned().size).toBe(shardCount - 1)
    })
    expect(retired).toBe(false)
    busy.clear()
    await vi.waitFor(() => {
      one.clock.advance(250)
      expect(retired).toBe(true)
    })
    await end
    await until(two, shardCount)
  })

  test('by dying keeps its shards until its lease has lapsed, and then another takes them under higher epochs', async () => {
    const dead = gateway()
    await dead.start()
    running.splice(0)
    const two = gateway()
    await two.start()
    expect(two.owned().size).toBe(0)
    await die(dead)
    await until(two, shardCount)
    expect([...two.owned().values()].every((epoch) => epoch === 2)).toBe(true)
  })

  test('by dying is passed over at once by one that is alone in its data directory', async () => {
    const dead = gateway()
    await dead.start()
    running.splice(0)
    const two = gateway({ alone: true })
    await two.start()
    expect(two.owned().size).toBe(shardCount)
  })
})

describe('a process that was paused', () => {
  test('owns nothing any more before another may take over', async () => {
    const one = gateway()
    await one.start()
    // No beat is recorded in this time: the ticks only begin.
    one.clock.advance(9_000)
    expect(one.owned().size).toBe(0)
  })

  test('finds out at its next beat that its shards were taken', async () => {
    const [one, two] = [gateway(), gateway()]
    await one.start()
    await die(one)
    await two.start()
    expect(two.owned().size).toBe(shardCount)
    one.clock.advance(3_000)
    await vi.waitFor(() => expect(one.observed).toContainEqual({ kind: 'shards.lost', shards: shardCount }))
    expect([...shardsOf(one)].some((shard) => two.owned().get(shard) === one.owned().get(shard))).toBe(false)
  })
})

describe('the fence', () => {
  const stale = newUuid(new Date())
  const next = newUuid(new Date())
  const shard = 7
  const intend = statement(
    'test_intend',
    `with ${fence} update intent set n = n + 1 from fence where intent.shard = fence.shard returning intent.shard, epoch`,
  )
  const intent = (queries: Queries, owner: Uuid, epoch: number) =>
    queries.run<{ shard: number }>(intend, fenceValues({ processId: owner, shards: new Map([[shard, epoch]]) }))
  const takeover = (tx: Tx) => takeShards(tx, next, shardCount)

  beforeEach(async () => {
    await sql(own.database, 'drop table if exists intent')
    await sql(own.database, 'create table intent (shard smallint, n integer not null default 0)')
    await sql(own.database, 'insert into intent values (7)')
    await sql(own.database, 'update shard set owner = $1, epoch = 1', [stale])
  })

  /** A transaction that stays open until told. */
  async function holdOpen(work: (tx: Tx) => Promise<unknown>): Promise<{ commit: () => Promise<unknown> }> {
    let commit = () => {}
    const told = new Promise<void>((resolve) => {
      commit = resolve
    })
    let began = () => {}
    const beginning = new Promise<void>((resolve) => {
      began = resolve
    })
    const ended = own.database.transaction(async (tx) => {
      await work(tx)
      began()
      await told
    })
    await beginning
    const end = () => {
      commit()
      return ended
    }
    return { commit: end }
  }

  const someoneWaits = () =>
    vi.waitFor(
      async () => {
        const rows = await sql<{ n: number }>(
          own.database,
          "select count(*) as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
        )
        expect(rows[0]?.n).toBe(1)
      },
      { timeout: 10_000, interval: 5 },
    )

  test('lets the owner through under its epoch only', async () => {
    expect(await intent(own.database, stale, 1)).toHaveLength(1)
    expect(await intent(own.database, stale, 0)).toHaveLength(0)
    expect(await intent(own.database, stale, 2)).toHaveLength(0)
    expect(await intent(own.database, next, 1)).toHaveLength(0)
  })

  // rule: queue 7
  test('stops every owner while the history of the database is judged, and after a failover until it was', async () => {
    await sql(own.database, "update database_history set timeline = '000000FF'")
    expect(await intent(own.database, stale, 1)).toHaveLength(0)
    await sql(own.database, `update database_history set timeline = ${timelineNow}, judging_since = now()`)
    expect(await intent(own.database, stale, 1)).toHaveLength(0)
    await sql(own.database, 'update database_history set judging_since = null')
    expect(await intent(own.database, stale, 1)).toHaveLength(1)
  })

  // rule: queue 3
  test('stops a stale owner after a takeover', async () => {
    await own.database.transaction(takeover)
    expect(await intent(own.database, stale, 1)).toHaveLength(0)
    expect(await intent(own.database, next, 2)).toHaveLength(1)
  })

  test('makes a stale intent wait for an open takeover and then change nothing', async () => {
    const open = await holdOpen(takeover)
    const late = intent(own.database, stale, 1)
    await someoneWaits()
    await open.commit()
    expect(await late).toHaveLength(0)
    expect(await sql(own.database, 'select n from intent')).toEqual([{ n: 0 }])
  })

  test('makes a takeover wait for an open intent and then see it', async () => {
    const open = await holdOpen((tx) => intent(tx, stale, 1))
    const seen = own.database.transaction(async (tx) => {
      await takeover(tx)
      return sql(tx, 'select n from intent')
    })
    await someoneWaits()
    await open.commit()
    expect(await seen).toEqual([{ n: 1 }])
  })

  test('does not make intents of one owner wait for each other', async () => {
    await sql(own.database, 'insert into intent values (8)')
    const open = await holdOpen((tx) =>
      tx.run(
        statement('test_fence_only', `with ${fence} select * from fence`),
        fenceValues({ processId: stale, shards: new Map([[shard, 1]]) }),
      ),
    )
    expect(await intent(own.database, stale, 1)).toHaveLength(1)
    await open.commit()
  })
})

test('a process whose guard throws owns nothing, and goes on when it passes', async () => {
  let judged = false
  const guard = { check: async () => (judged ? undefined : Promise.reject(new Error('not yet'))) }
  const clock = manualClock(new Date().toISOString())
  const ownership = createOwnership({ database: own.database, clock, observe: () => {} }, { alone: true, guard })
  running.push(ownership)
  await expect(ownership.start()).rejects.toThrow('not yet')
  expect(ownership.owned().size).toBe(0)
  judged = true
  await ownership.start()
  expect(ownership.owned().size).toBe(shardCount)
})

test('a stop while the database is away ends, and tells what was not given back', async () => {
  let away = false
  const database: Database = {
    ...own.database,
    run: (...asked) => (away ? Promise.reject(new Error('Connection terminated')) : own.database.run(...asked)),
  }
  const process = gateway({ database })
  await process.start()
  away = true
  await process.stop()
  expect(process.observed.at(-1)).toEqual({ kind: 'shards.not_given_back', shards: shardCount, message: 'Connection terminated' })
})

describe('the shard of a lane', () => {
  test('is always the same one', () => {
    const [account, lane] = ['019ac8f0-a1b2-7c3d-8e4f-5a6b7c8d9e0f' as Uuid, '019ac8f0-a1b2-7c3d-8e4f-000000000001' as Uuid]
    expect(shardOf(account, lane)).toBe(shardOf(account, lane))
    expect(shardOf(account, lane)).not.toBe(shardOf(lane, account))
  })

  test('is one of 256, and lanes spread over nearly all of them', () => {
    const account = newUuid(new Date())
    const shards = Array.from({ length: 5_000 }, () => shardOf(account, newUuid(new Date())))
    expect(shards.every((shard) => Number.isInteger(shard) && shard >= 0 && shard < shardCount)).toBe(true)
    expect(new Set(shards).size).toBeGreaterThan(250)
  })
})
