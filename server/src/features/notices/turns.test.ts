import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts'
import { changeOf, type NoticeStage, newNoticeStage, noticeOf, statusItemOf, textItem } from '../../../test/support/notice-stage.ts'
import { type StageNumber, sql } from '../../../test/support/stage.ts'
import { newUuid } from '../../base/id.ts'
import { laneOf } from '../../base/lane-of.ts'
import { insertNotices } from './store.ts'
import { createNoticeWork } from './work-batch.ts'

let own: TestDatabase
let n: NoticeStage
let other: StageNumber

beforeAll(async () => {
  own = await testDatabase()
})
afterAll(() => own.close())
beforeEach(async () => {
  n = await newNoticeStage(own.database)
  other = await n.stage.addNumber()
})

const newWork = () =>
  createNoticeWork(
    {
      ...{ database: own.database, clock: n.clock, observe: (each) => n.observed.push(each) },
      ...{ wakeDeliveries: () => {}, wakeFiles: () => {}, heard: () => {} },
    },
    'live',
  )
const phoneOf = (i: number) => `55119${String(60_000_000 + i)}`
const textOf = (i: number) => textItem(n.clock.now(), phoneOf(i), `wamid.${n.stage.accountId}.${i}`, `text ${i}`)
const noticeWith = (from: number, count: number, { phoneNumberId }: StageNumber = n.stage) =>
  noticeOf(changeOf(phoneNumberId, { messages: Array.from({ length: count }, (_, i) => textOf(from + i)) }))
const keep = async (bodies: readonly object[]) => {
  const now = n.clock.now()
  const common = { livemode: true, accountId: null, dueAt: now, receivedAt: now }
  await insertNotices(
    own.database,
    bodies.map((body) => ({ ...common, id: newUuid(now), body: Buffer.from(JSON.stringify(body)) })),
  )
}
const largestTransaction = async () => {
  const rows = await sql<{ size: number }>(
    own.database,
    `select count(*)::integer as size from message where account_id = $1 group by xmin::text order by 1 desc limit 1`,
    [n.stage.accountId],
  )
  return rows[0]?.size ?? 0
}
const isThere = async (i: number) => (await n.texts()).includes(`text ${i}`)
const untilDone = async (work: ReturnType<typeof newWork>) => {
  while ((await work.next(200)) > 0 || work.isUnderWay());
}

// rule: receive 15
describe('a batch of notices', () => {
  test('is bounded by what is in the notices, however few they are', async () => {
    await keep(Array.from({ length: 15 }, (_, i) => noticeWith(i * 100, 100)))
    await untilDone(newWork())
    expect(await n.texts()).toHaveLength(1_500)
    expect(await largestTransaction()).toBe(400)
  })

  test('of one large notice is worked through in pieces, statuses last, and finished as one', async () => {
    const statuses = Array.from({ length: 100 }, (_, i) => statusItemOf(n.clock.now(), `wamid.${n.stage.accountId}.${i}`, 'delivered'))
    const messages = Array.from({ length: 1_000 }, (_, i) => textOf(i))
    await keep([
      noticeOf(changeOf(n.stage.phoneNumberId, { statuses }), changeOf(n.stage.phoneNumberId, { messages: [...messages, 'odd'] })),
    ])
    await untilDone(newWork())
    expect(await n.texts()).toHaveLength(1_000)
    expect(await n.told()).toHaveLength(1_000)
    expect(await largestTransaction()).toBe(400)
    expect(await n.setAside()).toHaveLength(1)
    expect(await sql(own.database, 'select 1 from parked_status')).toEqual([])
    expect(n.observed.filter((each) => each.kind === 'notices.worked')).toMatchObject([{ notices: 1, items: 1_101, setAside: 1 }])
  })

  test('of one large notice is begun anew by another process when the first dies, and everything is told once', async () => {
    await keep([noticeWith(0, 1_000)])
    const dies = newWork()
    for (let i = 0; i < 3; i += 1) await dies.next(200)
    expect((await n.texts()).length).toBeGreaterThan(0)
    const second = newWork()
    // It is held by the other.
    expect(await second.next(200)).toBe(0)
    n.clock.advance(15_001)
    await untilDone(second)
    await untilDone(dies)
    expect(await n.texts()).toHaveLength(1_000)
    expect(await n.told()).toHaveLength(1_000)
  })
})

// rule: receive 15
describe('numbers', () => {
  test('take turns: one that floods notices holds up no other for longer than a batch', async () => {
    await keep(Array.from({ length: 3_000 }, (_, i) => noticeWith(i, 1)))
    await keep([noticeWith(9_000, 1, other)])
    const work = newWork()
    await work.next(200)
    await work.next(200)
    expect(await isThere(9_000)).toBe(true)
    // Also what comes while the flood is worked through.
    await work.next(200)
    await keep([noticeWith(9_001, 1, other)])
    await work.next(200)
    await work.next(200)
    expect(await isThere(9_001)).toBe(true)
    expect((await n.texts()).length).toBeLessThan(1_100)
  })

  test('take turns with the pieces of a large notice', async () => {
    await keep([noticeWith(0, 3_000)])
    await keep([noticeWith(9_000, 1, other)])
    const work = newWork()
    for (let i = 0; i < 3; i += 1) await work.next(200)
    expect(await isThere(9_000)).toBe(true)
    expect((await n.texts()).length).toBeLessThan(1_300)
  })

  test('have a lane each, whatever stands before them, and a simulated notice that of its account', () => {
    const lane = (body: object, accountId: typeof n.stage.accountId | null = null) =>
      laneOf({ body: Buffer.from(JSON.stringify(body)), accountId })
    const one = lane(noticeWith(0, 1))
    expect(lane({ before: 'x'.repeat(1_000), ...noticeWith(5, 3) })).toBe(one)
    expect(lane(noticeWith(0, 1, other))).not.toBe(one)
    expect(lane({ object: 'whatsapp_business_account', entry: [{ id: '77', changes: [] }] })).toBe(lane({ entry: [{ id: '77' }] }))
    expect(lane(noticeWith(0, 1), n.stage.accountId)).toBe(lane({}, n.stage.accountId))
    for (const body of [Buffer.alloc(0), Buffer.from('"phone_number_id"'), Buffer.alloc(200, 0xff)]) {
      expect(laneOf({ body, accountId: null })).toBeGreaterThanOrEqual(0)
    }
  })
})
