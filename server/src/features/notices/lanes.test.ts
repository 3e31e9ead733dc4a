import { createHash } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts'
import { newStage, person, type Stage, sql, textTo } from '../../../test/support/stage.ts'
import { findUsageDifferences } from '../../../test/support/usage-differences.ts'
import { type ManualClock, manualClock } from '../../base/clock.ts'
import { formatId, newUuid, type Uuid } from '../../base/id.ts'
import type { Loop } from '../../platform/lanes/loop.ts'
import { sendMessages } from '../messages/send.ts'
import { claimWamids } from '../messages/store.ts'
import { createNoticeKeeper } from './keep.ts'
import { type NoticeObservation, startNotices } from './lanes.ts'

const ana = '5511987654321'
let own: TestDatabase
let clock: ManualClock
let stage: Stage
let loops: Loop[]
let observed: NoticeObservation[]

beforeAll(async () => {
  own = await testDatabase()
})
afterAll(() => own.close())
beforeEach(async () => {
  // Today, because the test database has today's partitions.
  clock = manualClock(new Date().toISOString())
  loops = []
  observed = []
  for (const table of ['inbox', 'notice_set_aside', 'parked_status']) await sql(own.database, `truncate ${table}`)
  stage = await newStage(own.database, clock)
})
afterEach(async () => {
  for (const loop of loops) await loop.stop()
  // rule: usage 5
  expect(await findUsageDifferences(own.database, stage.accountId)).toEqual([])
})

const start = (count = 1) => {
  for (let n = 0; n < count; n += 1)
    loops.push(
      startNotices({
        database: own.database,
        clock,
        observe: (each) => observed.push(each),
        wakeDeliveries: () => {},
        wakeFiles: () => {},
      }),
    )
}
const keeper = () => createNoticeKeeper({ database: own.database, clock, observe: () => {}, wake: () => {} })
const keep = async (...bodies: (object | string)[]) => {
  for (const body of bodies) {
    // One that has just written waits for its clock, which stands still here.
    const { keep } = keeper()
    const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
    await keep({ id: newUuid(clock.now()), livemode: true, accountId: null, body: bytes, dueAt: clock.now(), receivedAt: clock.now() })
  }
}
const until = (expectation: () => Promise<void> | void, stepMs = 50) =>
  vi.waitFor(
    async () => {
      clock.advance(stepMs)
      await expectation()
    },
    { timeout: 20_000, interval: 2 },
  )
const waiting = async () => (await sql<{ n: number }>(own.database, 'select count(*) as n from inbox where state = 0'))[0]?.n
const worked = () => until(async () => expect(await waiting()).toBe(0))

const seconds = () => String(Math.floor(clock.now().getTime() / 1_000))
const change = (value: object, of: { phoneNumberId: string } = stage) => ({
  field: 'messages',
  value: { messaging_product: 'whatsapp', metadata: { phone_number_id: of.phoneNumberId }, ...value },
})
const notice = (...changes: object[]) => ({ object: 'whatsapp_business_account', entry: [{ id: '1', changes }] })
const textFrom = (from: string, id: string, body = 'Oi') => ({ from, id, timestamp: seconds(), type: 'text', text: { body } })
const status = (id: string, kind: string, more: object = {}) => ({ id, status: kind, timestamp: seconds(), recipient_id: ana, ...more })
/** Longer than an index takes, and of no pattern that could be compressed: PostgreSQL refuses it. */
const poisonId = `wamid.${Array.from({ length: 200 }, (_, n) => createHash('sha256').update(String(n)).digest('base64')).join('')}`

const inbound = () =>
  sql<{ text: string; wamid: string }>(
    own.database,
    "select text, wamid from message where account_id = $1 and direction = 'inbound' order by wamid",
    [stage.accountId],
  )
const events = async () =>
  (await sql<{ type: string }>(own.database, 'select type from event where account_id = $1 order by id', [stage.accountId])).map(
    (row) => row.type,
  )
const setAside = () =>
  sql<{ field: string; reason: string; item: string }>(
    own.database,
    "select field, reason, convert_from(body, 'UTF8') as item from notice_set_aside order by id",
  )
const parked = async () => (await sql<{ n: number }>(own.database, 'select count(*) as n from parked_status'))[0]?.n
const statusOf = async (id: Uuid) =>
  (await sql<{ status: string }>(own.database, 'select status from message where id = $1', [id]))[0]?.status

/** A message of ours that upstream has under this wamid, still queued as far as we know. */
async function ours(wamid: string | null): Promise<Uuid> {
  await person(own.database, clock, stage, ana)
  const send = textTo(clock, stage, ana)
  await sendMessages({ database: own.database, clock, wakeLanes: () => {} }, [send])
  if (wamid !== null) await name(send.id, wamid)
  return send.id
}
const name = (messageId: Uuid, wamid: string) =>
  own.database.transaction((tx) =>
    claimWamids(tx, [{ accountId: stage.accountId, channelId: stage.channelId, wamid: wamid as never, messageId }]),
  )

describe('working notices through', () => {
  test('every message and status of a batch has its effect, each once, with its event', async () => {
    const id = await ours('wamid.OUT')
    await keep(
      notice(
        change({ messages: [textFrom(ana, 'wamid.1', 'um'), textFrom('5511987654322', 'wamid.2', 'dois')] }),
        change({ statuses: [status('wamid.OUT', 'delivered')] }),
      ),
      notice(change({ statuses: [status('wamid.OUT', 'read')] }), { field: 'some_future_field', value: {} }),
    )
    start()
    await worked()
    expect(await inbound()).toEqual([
      { text: 'um', wamid: 'wamid.1' },
      { text: 'dois', wamid: 'wamid.2' },
    ])
    expect(await statusOf(id)).toBe('read')
    expect((await events()).toSorted()).toEqual(['message.delivered', 'message.read', 'message.received', 'message.received'])
    expect(await setAside()).toEqual([])
  })

  test('the same notice again, and one notice with an item twice, change nothing and tell nothing', async () => {
    await ours('wamid.OUT')
    const body = notice(
      change({
        messages: [textFrom(ana, 'wamid.1'), textFrom(ana, 'wamid.1')],
        statuses: [status('wamid.OUT', 'delivered'), status('wamid.OUT', 'delivered')],
      }),
    )
    await keep(body, body)
    start()
    await worked()
    await keep(body)
    await worked()
    expect(await inbound()).toHaveLength(1)
    // In no order: ids of one moment that lies before another one's are in none.
    expect((await events()).toSorted()).toEqual(['message.delivered', 'message.received'])
  })

  test('two processes share the work, and each notice has its effect once', async () => {
    await keep(
      ...Array.from({ length: 60 }, (_, n) =>
        notice(change({ messages: [textFrom(`55119876${String(n % 7).padStart(5, '0')}`, `wamid.${n}`)] })),
      ),
    )
    start(2)
    await worked()
    expect(await inbound()).toHaveLength(60)
    expect(await events()).toHaveLength(60)
  })

  test('a message opens the window of its number and is kept with its original, digit for digit', async () => {
    await keep(
      JSON.stringify(notice(change({ messages: [{ ...textFrom(ana, 'wamid.1'), n: 0 }] }))).replace('"n":0', '"n":12345678901234567890'),
    )
    start()
    await worked()
    const [row] = await sql<{ meta: string }>(own.database, 'select meta from message where account_id = $1', [stage.accountId])
    expect(row?.meta).toContain('"n":12345678901234567890')
    expect(await sql(own.database, 'select 1 as open from contact_window where account_id = $1', [stage.accountId])).toHaveLength(1)
  })

  test('what cannot be read, and what is of no number of ours, is set aside with its reason beside its neighbours', async () => {
    const strange = change({ messages: [textFrom(ana, 'wamid.9')] }, { phoneNumberId: '999' })
    await keep('no json', notice(change({ messages: [{ type: 'text', id: 'wamid.8', from: ana }, textFrom(ana, 'wamid.1')] }), strange))
    start()
    await worked()
    expect(await inbound()).toHaveLength(1)
    const aside = await setAside()
    expect(aside.map((each) => each.field).toSorted()).toEqual(['body', 'message', 'message'])
    expect(aside.every((each) => each.reason !== '')).toBe(true)
  })

  test('a notice that is due later waits for its time', async () => {
    const dueAt = new Date(clock.now().getTime() + 5_000)
    await keeper().keepSimulated([
      { accountId: stage.accountId, dueAt, body: Buffer.from(JSON.stringify(notice(change({ messages: [textFrom(ana, 'wamid.1')] })))) },
    ])
    start()
    await worked()
    expect(clock.now().getTime()).toBeGreaterThanOrEqual(dueAt.getTime())
    expect(await sql(own.database, 'select livemode from message where account_id = $1', [stage.accountId])).toEqual([{ livemode: false }])
  })

  test("a simulated notice never speaks for another account's number", async () => {
    const other = await newStage(own.database, clock)
    const body = Buffer.from(JSON.stringify(notice(change({ messages: [textFrom(ana, 'wamid.1')] }))))
    await keeper().keepSimulated([{ accountId: other.accountId, dueAt: clock.now(), body }])
    start()
    await worked()
    expect(await inbound()).toEqual([])
    expect(await setAside()).toHaveLength(1)
  })
})

describe('an item that fails', () => {
  test('is set aside at its third try; its neighbours in other notices and in its own have effect before', async () => {
    const id = await ours('wamid.OUT')
    await keep(
      notice(change({ messages: [textFrom('5511987654322', 'wamid.1', 'before')] })),
      notice(
        change({
          messages: [
            textFrom('5511987654323', 'wamid.2', 'beside'),
            textFrom(ana, poisonId, 'poison'),
            textFrom('5511987654324', 'wamid.3', 'behind'),
          ],
        }),
        change({ statuses: [status('wamid.OUT', 'delivered')] }),
      ),
      notice(change({ messages: [textFrom('5511987654325', 'wamid.4', 'after')] })),
    )
    start()
    await until(() => expect(observed.some((each) => each.kind === 'notices.postponed')).toBe(true), 10)
    await until(async () => expect((await inbound()).map((each) => each.text)).toEqual(['before', 'beside', 'behind', 'after']), 10)
    expect(await statusOf(id)).toBe('delivered')
    expect(await setAside()).toEqual([])
    const beganMs = clock.monotonicMs()

    await until(async () => expect(await waiting()).toBe(0), 100)
    expect(clock.monotonicMs() - beganMs).toBeGreaterThanOrEqual(5_000)
    const aside = await setAside()
    expect(aside).toMatchObject([{ field: 'message', reason: expect.stringMatching(/index/) }])
    expect(aside[0]?.item).toContain('poison')
    expect(await inbound()).toHaveLength(4)
    expect((await events()).filter((each) => each === 'message.received')).toHaveLength(4)
    expect((await events()).filter((each) => each === 'message.delivered')).toHaveLength(1)
  })
})

describe('a status of a message that is not known', () => {
  test('is parked without an event and taken up when its wamid becomes known', async () => {
    const id = await ours(null)
    await keep(notice(change({ statuses: [status('wamid.OUT', 'delivered'), status('wamid.OUT', 'read'), status('wamid.OUT', 'read')] })))
    start()
    await worked()
    expect(await parked()).toBe(2)
    expect(await events()).toEqual([])
    await name(id, 'wamid.OUT')
    await until(async () => expect(await statusOf(id)).toBe('read'), 500)
    expect(await parked()).toBe(0)
    expect((await events()).toSorted()).toEqual(['message.delivered', 'message.read'])
  })

  test('is taken up as soon as its wamid becomes known, however many of another tool lie there', async () => {
    const id = await ours(null)
    const others = Array.from({ length: 6_000 }, (_, i) => status(`wamid.OTHER${i}`, 'read'))
    for (let i = 0; i < others.length; i += 2_000) await keep(notice(change({ statuses: others.slice(i, i + 2_000) })))
    await keep(notice(change({ statuses: [status('wamid.ZZZ', 'delivered')] })))
    start()
    await worked()
    expect(await parked()).toBe(6_001)
    const unseen = await ours(null)
    await name(id, 'wamid.ZZZ')
    const beganMs = clock.monotonicMs()
    await until(async () => expect(await statusOf(id)).toBe('delivered'), 100)
    // Every five seconds it is looked for what is known.
    expect(clock.monotonicMs() - beganMs).toBeLessThan(7_000)
    // What nobody marked is found by going round, some at a time.
    await sql(own.database, 'insert into message_wamid (account_id, channel_id, wamid, message_id) values ($1, $2, $3, $4)', [
      stage.accountId,
      stage.channelId,
      'wamid.OTHER1',
      unseen,
    ])
    await until(async () => expect(await statusOf(unseen)).toBe('read'), 500)
    expect(await parked()).toBe(5_999)
  })

  test('is dropped after 24 hours and not before', async () => {
    const keptMs = clock.monotonicMs()
    await keep(notice(change({ statuses: [status('wamid.OTHER', 'delivered')] })))
    start()
    await worked()
    clock.advance(86_400_000 - 120_000)
    await until(async () => expect(await parked()).toBe(0), 2_000)
    expect(clock.monotonicMs() - keptMs).toBeGreaterThanOrEqual(86_400_000)
    expect(await events()).toEqual([])
  })

  test('is found by the id that upstream echoes, if the number is the one that the message went from', async () => {
    const id = await ours(null)
    const other = await stage.addNumber()
    const echoed = { biz_opaque_callback_data: `${formatId('msg', id)}.1` }
    await keep(notice(change({ statuses: [status('wamid.X', 'delivered', echoed)] }, other)))
    start()
    await worked()
    expect(await statusOf(id)).toBe('queued')
    await keep(notice(change({ statuses: [status('wamid.OUT', 'delivered', echoed)] })))
    await worked()
    expect(await statusOf(id)).toBe('delivered')
  })

  test('whose echo is not of our form is another tool’s', async () => {
    await keep(notice(change({ statuses: [status('wamid.X', 'delivered', { biz_opaque_callback_data: 'order 17' })] })))
    start()
    await worked()
    expect(await parked()).toBe(1)
  })
})
