import { createHash } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts'
import {
  changeOf,
  type NoticeStage,
  newNoticeStage,
  noticeOf,
  refuseInDatabase,
  statusItemOf,
  textItem,
} from '../../../test/support/notice-stage.ts'
import { createPrivateWords } from '../../../test/support/private-words.ts'
import { person, sql, textTo } from '../../../test/support/stage.ts'
import { newUuid } from '../../base/id.ts'
import { createMeasures } from '../../measures.ts'
import { createMetrics } from '../../platform/observe/metrics.ts'
import { sendMessages } from '../messages/send.ts'
import { claimWamids } from '../messages/store.ts'
import { noticeDepth } from './depth-store.ts'
import { insertNotices, takeWaiting } from './store.ts'

const ana = '5511987654321'
let own: TestDatabase
let n: NoticeStage
let mend: () => Promise<void>

beforeAll(async () => {
  own = await testDatabase()
})
afterAll(() => own.close())
beforeEach(async () => {
  n = await newNoticeStage(own.database)
  mend = async () => {}
})
afterEach(async () => {
  await n.stop()
  await mend()
})

const text = (id: string, body = id, from = ana) => textItem(n.clock.now(), from, `wamid.${id}`, body)
const messages = (...items: readonly unknown[]) => changeOf(n.stage.phoneNumberId, { messages: items })
const onInsert = (body: string) => refuseInDatabase(own.database, { table: 'message', when: 'before insert', body })
/** Longer than an index takes, and of no pattern that could be compressed. */
const tooLong = `wamid.${Array.from({ length: 200 }, (_, i) => createHash('sha256').update(String(i)).digest('base64')).join('')}`
const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)
/** JSON.stringify cannot write it, and what is posted has it nevertheless. */
const withDeep = (body: object) => JSON.stringify(body).replace('"DEEP"', `${'['.repeat(100_000)}${']'.repeat(100_000)}`)

describe('an item that cannot be worked through', () => {
  const raising = (how: string) => `if new.text = 'poison' then ${how} end if;`

  // rule: receive 7
  test.each<{ what: string; item: () => unknown; trigger?: string; others?: number; reason: RegExp }>([
    { what: 'is no object', item: () => 'a text', reason: /not an object/ },
    { what: 'has no id', item: () => ({ ...text('x', 'poison'), id: undefined }), reason: /no id/ },
    { what: 'names nobody', item: () => ({ ...text('x', 'poison'), from: undefined }), reason: /nobody/ },
    { what: 'is too long for an index', item: () => ({ ...text('x', 'poison'), id: tooLong }), reason: /index row/ },
    {
      what: 'breaks a constraint',
      others: 500,
      item: () => text('x', 'poison'),
      trigger: raising("raise check_violation using message = 'no';"),
      reason: /no/,
    },
    { what: 'meets a bug in the database', item: () => text('x', 'poison'), trigger: raising("raise exception 'boom';"), reason: /boom/ },
  ])('which $what is set aside, and all others have their effect', async ({ item, trigger, reason, others = 20 }) => {
    if (trigger !== undefined) mend = await onInsert(trigger)
    const good = Array.from({ length: others }, (_, i) => text(`good-${i}`, `good-${i}`, `55119${String(80_000_000 + (i % 50))}`))
    await n.keep(
      noticeOf(messages(text('before'))),
      noticeOf(messages(...good.slice(0, others / 2), item(), ...good.slice(others / 2))),
      noticeOf(messages(text('after'))),
    )
    n.start()
    await n.settled()
    expect(await n.texts()).toEqual([...good.map((each) => each.text.body), 'after', 'before'].sort())
    expect(await n.told()).toHaveLength(others + 2)
    const aside = await n.setAside()
    expect(aside).toEqual([expect.objectContaining({ reason: expect.stringMatching(reason) })])
  })

  test('because it ends the connection each time is set aside with its notice: the database is not taken to be away for ever', async () => {
    mend = await onInsert(raising('perform pg_terminate_backend(pg_backend_pid());'))
    await n.keep(noticeOf(messages(text('before'))), noticeOf(messages(text('x', 'poison'))), noticeOf(messages(text('after'))))
    n.start()
    await n.settled(500)
    expect(await n.texts()).toEqual(['after', 'before'])
    expect(await n.setAside()).toMatchObject([{ field: 'body', reason: expect.stringMatching(/terminat/) }])
  }, 90_000)

  test('by a bug of ours, in the middle of its set, is set aside with all that it holds', async () => {
    const poison = { ...text('poison'), errors: 'DEEP' }
    await n.keep(
      noticeOf(messages(text('one'))),
      withDeep(noticeOf(messages(text('two'), poison, text('three')))),
      noticeOf(messages(text('four'))),
    )
    n.start()
    await n.settled()
    const aside = await n.setAside()
    expect(aside).toHaveLength(1)
    expect(aside[0]?.body).toContain('wamid.poison')
    expect(await n.texts()).toEqual(['four', 'one', 'three', 'two'])
  })

  test('because nobody can take its notice apart is set aside as the whole notice, byte by byte', async () => {
    const body = `{"entry":[${JSON.stringify(deep.slice(0, 0))},{"id":"1","changes":[{"field":7,"value":"DEEP"}]}]}`.replace(
      '"DEEP"',
      `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
    )
    await n.keep(body, noticeOf(messages(text('beside'))))
    n.start()
    await n.settled()
    expect(await n.texts()).toEqual(['beside'])
    const aside = await n.setAside()
    expect(aside.some((each) => each.body === body)).toBe(true)
  })

  test('only together with another is not set aside: both have their effect, one after the other', async () => {
    // Refused only where one transaction, or one savepoint of it, wrote both.
    mend = await refuseInDatabase(own.database, {
      table: 'message',
      when: 'after insert',
      body: `if new.text = 'b' and exists (
        select from message where account_id = new.account_id and text = 'a' and xmin = (select xmin from message where id = new.id)
      ) then raise 'together'; end if;`,
    })
    await n.keep(noticeOf(messages(text('a'), text('b'))), noticeOf(messages(text('c'))))
    n.start()
    await n.settled()
    expect(n.observed.some((each) => each.kind === 'notices.batch_failed')).toBe(true)
    expect(await n.texts()).toEqual(['a', 'b', 'c'])
    expect(await n.setAside()).toEqual([])
  })

  test('lies aside once, however often its neighbour in the same notice has to be tried', async () => {
    mend = await onInsert(raising("raise exception 'boom';"))
    await n.keep(noticeOf(messages('unreadable', text('x', 'poison'))))
    n.start()
    await n.settled()
    expect((await n.setAside()).map((each) => each.field).toSorted()).toEqual(['entry[0].changes[0].value.messages[0]', 'message'])
  })

  test('is counted, by its fate and by how many lie there and since when', async () => {
    mend = await onInsert(raising("raise exception 'boom';"))
    await n.keep(noticeOf(messages(text('x', 'poison'), 'unreadable', text('good'))))
    n.start()
    await n.settled()
    const metrics = createMetrics()
    const measure = createMeasures(metrics)
    for (const each of n.observed) measure(each)
    const shown = await metrics.page()
    expect(shown).toContain('notice_items_total{fate="set_aside"} 2')
    expect(shown).toContain('notice_items_total{fate="worked"} 1')
    n.clock.advance(60_000)
    const depth = await noticeDepth(own.database, n.clock.now())
    expect(depth).toMatchObject({ waiting: 0, replaying: 0, setAside: 2 })
    expect(depth.setAsideOldestSeconds).toBeGreaterThanOrEqual(60)
  })
})

describe('what the log says of it', () => {
  test.each([
    ['a refusal of PostgreSQL that quotes it', "raise exception 'refused: %', new.text;", 'SQLSTATE P0001'],
    ['a refusal for its size', 'raise data_exception using message = new.text;', 'SQLSTATE 22000'],
  ])('never holds its content: %s', async (_what, how, words) => {
    mend = await onInsert(`if new.text like 'secret%' then ${how} end if;`)
    const secret = 'secret words of a person'
    await n.keep(noticeOf(messages(text('x', secret))), noticeOf(messages(text('y'))))
    n.start()
    await n.settled()
    const privateWords = createPrivateWords()
    privateWords.add(secret, ana)
    privateWords.check(n.observed)
    expect(JSON.stringify(n.observed)).toContain(words)
    // The operator sees the reason where the item lies.
    expect((await n.setAside())[0]?.reason).toContain(secret)
  })
})

describe('a parked status that fails when its message becomes known', () => {
  test('holds up no other parked one, and is set aside at its third try', async () => {
    await person(own.database, n.clock, n.stage, ana)
    const sends = ['good', 'poison'].map((each) => textTo(n.clock, n.stage, ana, { text: each }))
    await sendMessages({ database: own.database, clock: n.clock, wakeLanes: () => {} }, sends)
    const failed = { errors: [{ code: 131026, title: 'poison' }] }
    const { stage, clock } = n
    await n.keep(
      noticeOf(
        changeOf(stage.phoneNumberId, {
          statuses: [statusItemOf(clock.now(), 'wamid.good', 'delivered'), statusItemOf(clock.now(), 'wamid.poison', 'failed', failed)],
        }),
      ),
    )
    n.start()
    await n.settled()
    mend = await refuseInDatabase(own.database, {
      table: 'message',
      when: 'before update',
      body: "if new.error_message = 'poison' then raise exception 'boom'; end if;",
    })
    await own.database.transaction((tx) =>
      claimWamids(
        tx,
        sends.map(({ id, text }) => ({
          accountId: stage.accountId,
          channelId: stage.channelId,
          wamid: `wamid.${text}` as never,
          messageId: id,
        })),
      ),
    )
    await n.until(async () => expect(await n.setAside()).toHaveLength(1), 500)
    await n.settled()
    expect(await n.told()).toEqual(['message.delivered good'])
    expect(await n.setAside()).toMatchObject([{ field: 'status', reason: 'boom', body: expect.stringContaining('wamid.poison') }])
    expect(await sql(own.database, 'select 1 from parked_status')).toEqual([])
  })
})

test('a batch is read up to 1 MB and no further, whatever its first notice has', async () => {
  const now = n.clock.now()
  let later = -1_000
  const raw = (bytes: number) => {
    later += 1
    const dueAt = new Date(now.getTime() + later)
    return { id: newUuid(now), livemode: true, accountId: null, body: Buffer.alloc(bytes, ' '), dueAt, receivedAt: now }
  }
  const take = () => own.database.transaction((tx) => takeWaiting(tx, 'live', { now, most: 200, afterLane: -1 }))
  await insertNotices(own.database, [raw(3_000_000), raw(10), raw(10)])
  expect((await take()).notices).toHaveLength(1)
  await sql(own.database, 'truncate inbox')
  await insertNotices(own.database, [raw(500_000), raw(500_000), raw(500_000), raw(10)])
  expect((await take()).notices).toHaveLength(2)
})

// rule: receive 16
describe('an item on which the database ends the work because it takes too long', () => {
  test('is never set aside, holds nobody up, and has its effect once the database can', async () => {
    mend = await onInsert("if new.text = 'slow' then raise query_canceled using message = 'too slow'; end if;")
    const others = Array.from({ length: 30 }, (_, i) => text(`good-${i}`))
    await n.keep(
      noticeOf(messages(...others.slice(0, 10))),
      noticeOf(messages(...others.slice(10, 20), text('slow'), ...others.slice(20))),
      noticeOf(messages(text('after'))),
    )
    n.start()
    await n.until(async () => expect(await n.texts()).toHaveLength(31), 200)
    // Past the three tries of what is refused.
    const postponed = () => n.observed.filter((each) => each.kind === 'notices.postponed').length
    for (const tries of [1, 2, 3]) await n.until(() => expect(postponed()).toBeGreaterThanOrEqual(tries), 1_000)
    expect(await n.setAside()).toEqual([])
    await mend()
    await n.settled(2_000)
    expect(await n.texts()).toHaveLength(32)
    expect(await n.told()).toHaveLength(32)
  }, 90_000)
})
