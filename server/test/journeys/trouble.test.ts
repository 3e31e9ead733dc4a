import { dirname } from 'node:path'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { formatId, type Uuid } from '../../src/base/id.ts'
import { newDataDir, postmasterOf, removeDataDirs } from '../support/processes/data-dir.ts'
import { areGone, endPrograms, kill } from '../support/processes/program.ts'
import { bundledConnection, rowsOf } from '../support/processes/rows.ts'
import { mountSmallDisk, type SmallDisk } from '../support/processes/small-disk.ts'
import { startTroubledBusiness, type TroubledBusiness } from '../support/processes/troubled-business.ts'
import { until } from '../support/processes/until.ts'

const testMsMax = 240_000
/** Longer than an intent may wait for its first byte, and shorter than the lease. */
const stallMs = 8_000
/** What the gateway allows from the intent to the first byte, and the way on a loaded machine. */
const intentMsMax = 6_500
/** The database itself, its write-ahead log, and room for what the tests send. */
const diskMegabytes = 320

// One gateway with its own database, both on one machine that misbehaves.
describe('when the machine misbehaves, the gateway lives, says so, and goes on by itself', () => {
  let dataDir = ''
  let disk: SmallDisk | null = null
  let business: TroubledBusiness

  beforeAll(async () => {
    dataDir = await newDataDir()
    disk = await mountSmallDisk(dirname(dataDir), diskMegabytes)
    business = await startTroubledBusiness({ DATA_DIR: dataDir })
  }, testMsMax)
  afterEach(() => business.endLoads())
  afterAll(async () => {
    await endPrograms()
    const postmaster = await postmasterOf(dataDir)
    if (postmaster !== null) {
      kill(postmaster, 'SIGKILL')
      await areGone([postmaster], 10_000)
    }
    await disk?.unmount()
    await business.receiver.close()
    await removeDataDirs()
  })

  // rule: queue 4
  test('the process stands still right after intents were committed: they are not sent late, and nothing twice', {
    timeout: testMsMax,
  }, async () => {
    const load = business.load('stall')
    await business.acceptsMore(10)
    for (let round = 0; round < 2; round += 1) {
      await standStillAtIntents()
      await business.acceptsMore(10)
    }
    await business.judge(load)
    expect(load.broken()).toBe(0)
    expect(load.failures).toEqual([])
    // Nobody else was there to take the shards.
    expect(business.gateway().program.stdout()).not.toContain('"shards.lost"')
    const attempts = await attemptsSeen()
    expect(attempts.filter((each) => each.ms > intentMsMax)).toEqual([])
    expect(attempts.filter((each) => each.outcome === 'not_accepted').length).toBeGreaterThan(0)
  })

  test('others hold all connections that PostgreSQL grants', { timeout: testMsMax }, async () => {
    const load = business.load('connections')
    await business.acceptsMore(10)
    const give = await takeAllConnections()
    try {
      await business.isReady(503)
      await until('a send was refused', () => load.failures.length > 0, 60_000)
    } finally {
      await give()
    }
    await business.isReady(200)
    await business.acceptsMore(10)
    await business.judge(load)
    expect(load.broken()).toBe(0)
  })

  test('the disk is full, until PostgreSQL ends of it', { timeout: testMsMax }, async ({ skip }) => {
    const full = disk ?? skip('a disk of its own needs root, and a machine that lets it mount one')
    const load = business.load('disk')
    await business.acceptsMore(10)
    const connection = await bundledConnection(dataDir)
    await full.fill()
    try {
      // The log needs a new file now, for which there is no room: PostgreSQL cannot go on.
      await until('PostgreSQL has ended', () => hasEnded() || rowsOf(connection, 'select pg_switch_wal()').then(hasEnded, hasEnded), 60_000)
      await full.fill()
      await business.isReady(503)
      await until('a send was refused', () => load.failures.length > 0, 60_000)
    } finally {
      await full.free()
    }
    await business.isReady(200)
    await business.acceptsMore(10)
    await business.judge(load)
    expect(load.broken()).toBe(0)
  })

  const hasEnded = () => business.gateway().program.stdout().includes('"postgres_ended"')

  /** Stops the process while the database works at its intents, which are then committed and not heard of. */
  async function standStillAtIntents(): Promise<void> {
    const connection = await bundledConnection(dataDir)
    const client = new Client(connection)
    await client.connect()
    const { pid } = business.gateway().program
    try {
      // An intent holds the shard's row for as long as it is written (the fence), and so do we.
      await client.query('begin; select from shard for update')
      const waiting = "select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%send_queue set state = 1%'"
      // On another connection: within a transaction the list of activities stands still.
      await until('intents wait', async () => (await rowsOf(connection, waiting)).length > 0, 20_000)
      kill(pid, 'SIGSTOP')
      await client.query('rollback')
      await new Promise((resolve) => setTimeout(resolve, stallMs))
    } finally {
      kill(pid, 'SIGCONT')
      await client.end()
    }
  }

  /** All upstream calls, each with how long after its intent upstream saw it; 0 for one that it never saw. */
  async function attemptsSeen() {
    const attempts = await rowsOf<{ id: Uuid; n: number; started_at: Date; outcome: string }>(
      await bundledConnection(dataDir),
      'select message_id as id, n, started_at, outcome from send_attempt',
    )
    const seen = await business.simulator.arrivals()
    return attempts.map(({ id, n, started_at, outcome }) => {
      const arrivedAtMs = seen.get(`${formatId('msg', id)}.${n}`) ?? started_at.getTime()
      return { id, n, outcome, ms: arrivedAtMs - started_at.getTime() }
    })
  }

  /** Takes each connection as it becomes free, ending the gateway's, until nobody else has one; the answer gives them back. */
  async function takeAllConnections(): Promise<() => Promise<void>> {
    const connection = await bundledConnection(dataDir)
    const clients: Client[] = []
    const connect = async () => {
      const client = new Client(connection)
      client.on('error', () => {})
      await client.connect()
      clients.push(client)
      return client
    }
    const first = await connect()
    const endOthers = "select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'pombo%' and datname is not null"
    await until(
      'all connections are taken',
      async () => {
        await first.query(endOthers)
        await Promise.allSettled(Array.from({ length: 20 }, connect))
        return (
          (await first.query("select 1 from pg_stat_activity where application_name like 'pombo%'")).rowCount === 0 && clients.length > 50
        )
      },
      30_000,
    )
    return async () => void (await Promise.all(clients.map((each) => each.end())))
  }
})
