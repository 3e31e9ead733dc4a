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
