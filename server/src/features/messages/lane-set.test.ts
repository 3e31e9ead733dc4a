import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts'
import { newStage, people, type Stage, sql, textTo } from '../../../test/support/stage.ts'
import { present } from '../../base/assert.ts'
import { manualClock } from '../../base/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import { shardOf } from '../../platform/lanes/shard.ts'
import { partOf } from '../usage/usage.ts'
import { takeNext } from './lane.ts'
import { createLaneSet, type LaneSet } from './lane-set.ts'
import { sendMessages } from './send.ts'
import { writeIntents } from './send-queue.ts'
import type { Send } from './send-request.ts'

// Today, because the test database has today's partitions.
const clock = manualClock(new Date().toISOString())
const [ana, bia] = ['5511987654321', '5511987654322']
let own: TestDatabase
let stage: Stage
let lanes: LaneSet

beforeAll(async () => {
  own = await testDatabase()
})
afterAll(() => own.close())
beforeEach(async () => {
  await sql(own.database, 'truncate send_queue')
  stage = await newStage(own.database, clock)
  await people(own.database, clock, stage, [ana, bia])
  lanes = createLaneSet({ database: own.database, clock }, { sendsPerSecond: 50 })
})

const accept = (database: Database, send: Send) => sendMessages({ database, clock, wakeLanes: () => {} }, [send])

/** Accepts in a transaction that has its place in the queue and stays open until told to commit. */
async function acceptHeld(send: Send) {
  const written = Promise.withResolvers<void>()
  const mayCommit = Promise.withResolvers<void>()
  const held: Database = {
    ...own.database,
    repeatable: (work) =>
      own.database.transaction(async (tx) => {
        const value = await work(tx, 1)
        written.resolve()
        await mayCommit.promise
        return value
      }),
  }
  const accepted = accept(held, send)
  await written.promise
  return () => {
    mayCommit.resolve()
    return accepted
  }
}

/** What the lanes have in memory after they have read what is new. */
async function found(): Promise<string[]> {
  clock.advance(2_000)
  await lanes.refill(new Map([[shardOf(stage.accountId, stage.channelId), 1]]))
  return [...lanes.all()].flatMap((lane) => lane.rows.map((row) => row.messageId))
}

describe('the lanes in memory', () => {
  test('hold what waits, in the order of acceptance', async () => {
    const [one, two] = [textTo(clock, stage, ana), textTo(clock, stage, bia)]
    await accept(own.database, one)
    await accept(own.database, two)
    expect(await found()).toEqual([one.id, two.id])
  })

  test('find a send whose place in the queue is earlier than one that left, but that was committed later', async () => {
    const late = textTo(clock, stage, ana)
    const commit = await acceptHeld(late)
    const early = withOtherCounters(late)
    await accept(own.database, early)
    expect(await found()).toEqual([early.id])
    await leave(early)
    await commit()
    expect(await found()).toEqual([late.id])
  })
})

describe('however many numbers have a backlog', () => {
  const shards = new Map(Array.from({ length: 256 }, (_, shard) => [shard, 1]))
  const queueRows = (numbers: number, each: number) =>
    sql(
      own.database,
      `insert into send_queue (account_id, message_id, channel_id, livemode, shard, contact_id, recipient, expires_at, accepted_at)
      select account, gen_random_uuid(), channel, true, 7, gen_random_uuid(), '55', $3, $4
      from (select gen_random_uuid() as channel, gen_random_uuid() as account from generate_series(1, $1)) as numbers, generate_series(1, $2)`,
      [numbers, each, new Date(clock.now().getTime() + 900_000), clock.now()],
    )
  const depths = () => [...lanes.all()].map((lane) => lane.rows.length)
  const sum = (counts: readonly number[]) => counts.reduce((all, n) => all + n, 0)

  test('one look reads a bounded number of rows, and each number gets some after few looks', async () => {
    await queueRows(1_500, 40)
    clock.advance(2_000)
    for (const read of [5_000, 10_000, 15_000]) {
      await lanes.refill(shards)
      expect(sum(depths())).toBeLessThanOrEqual(read)
    }
    expect(Math.min(...depths())).toBeGreaterThan(0)
  })

  test('all of them together hold no more than a bounded number of rows, and each some', async () => {
    lanes = createLaneSet({ database: own.database, clock }, { sendsPerSecond: 50, rowsHeldMax: 800 })
    await queueRows(100, 50)
    clock.advance(2_000)
    for (let looks = 0; looks < 5; looks += 1) {
      await lanes.refill(shards)
      // Each of them would like to have all it can get.
      for (const lane of lanes.all()) lane.needsLoad = true
    }
    expect(sum(depths())).toBeLessThanOrEqual(2 * 800)
    expect(Math.min(...depths())).toBeGreaterThanOrEqual(4)
  })
})

/** A send that is counted apart from another one, because an open transaction holds the counters of its own. */
function withOtherCounters(send: Send): Send {
  const sends = Array.from({ length: 100 }, () => textTo(clock, stage, bia))
  return present(
    sends.find((each) => partOf(each.id) !== partOf(send.id)),
    'one in eight has the same',
  )
}

/** Its turn comes and its intent is written. */
async function leave(send: Send): Promise<void> {
  const shard = shardOf(stage.accountId, stage.channelId)
  for (const lane of lanes.all()) expect(takeNext(lane, clock.monotonicMs(), clock.now())?.messageId).toBe(send.id)
  await sql(own.database, 'update shard set owner = $1, epoch = 1 where shard = $2', [stage.accountId, shard])
  const owner = { processId: stage.accountId, shards: new Map([[shard, 1]]) }
  const written = await writeIntents(own.database, owner, [{ accountId: send.accountId, messageId: send.id, shard }], clock.now())
  expect(written).toHaveLength(1)
}
