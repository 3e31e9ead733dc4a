import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts'
import { newStage, person, type Stage, sql, textTo } from '../../../test/support/stage.ts'
import { manualClock } from '../../base/clock.ts'
import { newUuid, type Uuid } from '../../base/id.ts'
import type { Tx } from '../../platform/database/database.ts'
import { shardOf } from '../../platform/lanes/shard.ts'
import { sendMessages } from './send.ts'
import {
  discoverLanes,
  dropExpiredSends,
  findLostSends,
  findOrphanedSends,
  findSendNeeds,
  finishSends,
  loadLanes,
  markSendsUnknown,
  requeueSends,
  withdrawIntents,
  writeIntents,
} from './send-queue.ts'
import type { Send } from './send-request.ts'

// Today, because the test database has today's partitions.
const clock = manualClock(new Date().toISOString())
const ana = '5511987654321'
const owner = newUuid(clock.now())
let own: TestDatabase
let stage: Stage
let shard: number

beforeAll(async () => {
  own = await testDatabase()
})
afterAll(() => own.close())
beforeEach(async () => {
  await sql(own.database, 'truncate send_queue')
  await sql(own.database, 'update shard set owner = $1, epoch = 5', [owner])
  stage = await newStage(own.database, clock)
  await person(own.database, clock, stage, ana)
  shard = shardOf(stage.accountId, stage.channelId)
})

const queue = async (...sends: Send[]) => {
  await sendMessages({ database: own.database, clock, wakeLanes: () => {} }, sends)
  return sends
}
const one = async (): Promise<Send> => {
  const send = textTo(clock, stage, ana)
  await queue(send)
  return send
}
const intend = (send: Send, epoch = 5, at = clock.now(), by: Uuid = owner) =>
  writeIntents(
    own.database,
    { processId: by, shards: new Map([[shard, epoch]]) },
    [{ accountId: send.accountId, messageId: send.id, shard }],
    at,
  )
const rowOf = async ({ id }: Send) =>
  (
    await sql<{ state: number; attempt: number; epoch: number | null; not_before: Date | null }>(
      own.database,
      'select state, attempt, epoch, not_before from send_queue where message_id = $1',
      [id],
    )
  )[0]
const attempt = (send: Send, n: number) => ({ accountId: send.accountId, messageId: send.id, attempt: n })
const intent = (send: Send, n: number) => ({ ...attempt(send, n), requestId: null })
const later = (ms: number) => new Date(clock.now().getTime() + ms)
const inTx = <Value>(work: (tx: Tx) => Promise<Value>): Promise<Value> => own.database.transaction(work)

describe('an intent', () => {
  test('is written by the owner, numbers the attempt and is answered once', async () => {
    const send = await one()
    expect(await intend(send)).toEqual([intent(send, 1)])
    expect(await rowOf(send)).toMatchObject({ state: 1, attempt: 1, epoch: 5 })
    expect(await intend(send)).toEqual([])
  })

  test('of a stale epoch or of another process changes nothing', async () => {
    const send = await one()
    expect(await intend(send, 4)).toEqual([])
    expect(await intend(send, 6)).toEqual([])
    expect(await intend(send, 5, clock.now(), newUuid(clock.now()))).toEqual([])
    expect(await rowOf(send)).toMatchObject({ state: 0, attempt: 0 })
  })

  test('and expiry exclude each other, to the millisecond', async () => {
    const send = await one()
    const drop = (at: Date) => inTx((tx) => dropExpiredSends(tx, [{ accountId: send.accountId, messageId: send.id }], at))
    expect(await drop(later(899_999))).toEqual([])
    expect(await intend(send, 5, later(900_000))).toEqual([])
    expect(await intend(send, 5, later(899_999))).toHaveLength(1)
    expect(await drop(later(900_000))).toEqual([])
    const other = await one()
    expect(await inTx((tx) => dropExpiredSends(tx, [{ accountId: other.accountId, messageId: other.id }], later(900_000)))).toHaveLength(1)
    expect(await rowOf(other)).toBeUndefined()
  })

  test('waits for the time before which a send may not be tried again', async () => {
    const send = await one()
    await intend(send)
    await inTx((tx) => requeueSends(tx, [{ ...attempt(send, 1), notBefore: later(6_000) }]))
    expect(await intend(send, 5, later(5_999))).toEqual([])
    expect(await intend(send, 5, later(6_000))).toEqual([intent(send, 2)])
  })

  test('whose commit is not known is taken back by its epoch only', async () => {
    const send = await one()
    await intend(send)
    const back = (epoch: number) => withdrawIntents(own.database, [{ accountId: send.accountId, messageId: send.id, epoch }])
    await back(4)
    expect(await rowOf(send)).toMatchObject({ state: 1 })
    await back(5)
    expect(await rowOf(send)).toMatchObject({ state: 0 })
  })
})

describe('facts', () => {
  test('are matched by message and attempt: those of an earlier attempt change nothing', async () => {
    const send = await one()
    await intend(send)
    expect(await inTx((tx) => requeueSends(tx, [{ ...attempt(send, 1), notBefore: null }]))).toEqual([
      { accountId: send.accountId, id: send.id },
    ])
    await intend(send)
    await inTx(async (tx) => {
      await finishSends(tx, [attempt(send, 1)])
      await markSendsUnknown(tx, [attempt(send, 1)])
    })
    expect(await inTx((tx) => requeueSends(tx, [{ ...attempt(send, 1), notBefore: null }]))).toEqual([])
    expect(await rowOf(send)).toMatchObject({ state: 1, attempt: 2 })
    await inTx((tx) => finishSends(tx, [attempt(send, 2)]))
    expect(await rowOf(send)).toBeUndefined()
  })

  test('also correct an outcome that was taken for unknown', async () => {
    const send = await one()
    await intend(send)
    await inTx((tx) => markSendsUnknown(tx, [attempt(send, 1)]))
    await inTx((tx) => requeueSends(tx, [{ ...attempt(send, 1), notBefore: null }]))
    expect(await rowOf(send)).toMatchObject({ state: 0 })
  })
})

describe('looking for', () => {
  test('orphans finds intents of earlier epochs and very old ones of our own, and no others', async () => {
    const send = await one()
    await intend(send)
    const orphans = (epoch: number, oldBefore: Date) => findOrphanedSends(own.database, new Map([[shard, epoch]]), { oldBefore, most: 10 })
    expect(await orphans(5, clock.now())).toEqual([])
    expect(await orphans(6, clock.now())).toMatchObject([{ ...attempt(send, 1), channelId: stage.channelId, intentAt: clock.now() }])
    expect(await orphans(5, later(1))).toHaveLength(1)
    expect(await findOrphanedSends(own.database, new Map([[(shard + 1) % 256, 6]]), { oldBefore: clock.now(), most: 10 })).toEqual([])
  })

  test('lost ones finds unknown outcomes whose time is over', async () => {
    const send = await one()
    await intend(send)
    await inTx((tx) => markSendsUnknown(tx, [attempt(send, 1)]))
    expect(await findLostSends(own.database, [shard], later(899_999), 10)).toEqual([])
    expect(await findLostSends(own.database, [shard], later(900_000), 10)).toEqual([attempt(send, 1)])
  })

  test('lanes finds each once, in the asked shards only, and loads each in the order of acceptance', async () => {
    const other = await newStage(own.database, clock)
    await person(own.database, clock, other, ana)
    const mine = await queue(...Array.from({ length: 5 }, () => textTo(clock, stage, ana)))
    const theirs = await queue(textTo(clock, other, ana), textTo(clock, other, ana, { livemode: false }))
    const all = await discoverLanes(
      own.database,
      Array.from({ length: 256 }, (_, n) => n),
    )
    expect(all).toHaveLength(3)
    expect((await discoverLanes(own.database, [shard])).some((lane) => lane.channelId === stage.channelId)).toBe(true)
    const rows = await loadLanes(
      own.database,
      all.map((lane) => ({ ...lane, depth: 3 })),
    )
    expect(rows.filter((row) => row.channelId === stage.channelId).map((row) => row.messageId)).toEqual(
      mine.slice(0, 3).map((each) => each.id),
    )
    expect(rows.filter((row) => row.channelId === other.channelId)).toHaveLength(theirs.length)
    expect(await discoverLanes(own.database, [])).toEqual([])
  })
})

describe('what a send needs', () => {
  const needs = async (send: Send) => (await findSendNeeds(own.database, [{ accountId: send.accountId, messageId: send.id }]))[0]

  test('quotes a message that has left, and leaves out one that failed or whose outcome is unknown', async () => {
    const quoted = await one()
    const [send] = (await queue(textTo(clock, stage, ana, { replyTo: { kind: 'id', id: quoted.id } }))) as [Send]
    expect(await needs(send)).toMatchObject({ kind: 'text', quotedWamid: null })
    await sql(own.database, "update message set status = 'sent', sent_at = now(), wamid = 'wamid.Q' where id = $1", [quoted.id])
    expect(await needs(send)).toMatchObject({ quotedWamid: 'wamid.Q' })
    await sql(own.database, "update message set status = 'failed', error_message = 'no' where id = $1", [quoted.id])
    expect(await needs(send)).toMatchObject({ quotedWamid: null })
  })

  test('passes on a quoted wamid that is not known, and the content as it was written', async () => {
    const content = '{"text":{"body":"a","n":12345678901234567890}}'
    const [send] = (await queue(
      textTo(clock, stage, ana, { content: content as never, replyTo: { kind: 'wamid', wamid: 'wamid.X' as never, isSure: true } }),
    )) as [Send]
    expect(await needs(send)).toEqual({ kind: 'text', content, file: null, quotedWamid: 'wamid.X' })
  })

  test('is nothing for a message that is not there, and the others keep their places', async () => {
    const send = await one()
    const found = await findSendNeeds(own.database, [
      { accountId: send.accountId, messageId: newUuid(clock.now()) },
      { accountId: send.accountId, messageId: send.id },
    ])
    expect(found.map((each) => each?.kind ?? null)).toEqual([null, 'text'])
  })
})
