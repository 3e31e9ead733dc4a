import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
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
import { goodGraph, newStage, person, secretKey, sql, textTo } from '../../../test/support/stage.ts'
import { present } from '../../base/assert.ts'
import { newUuid, type Uuid } from '../../base/id.ts'
import { partitionedTables } from '../../partitioned-tables.ts'
import { dropOldPartitions, makePartitionsAt } from '../../platform/database/partitions.ts'
import type { Graph } from '../../platform/upstream/graph.ts'
import { connectChannel } from '../channels/public.ts'
import { sendMessages } from '../messages/send.ts'
import { claimWamids } from '../messages/store.ts'
import { registerWebhook } from '../webhooks/public.ts'
import { createNoticeKeeper } from './keep.ts'
import { replayItem, replaySince } from './replay.ts'
import { listSetAside } from './set-aside-store.ts'
import { finishNotices, insertNotices, markForReplay, takeWaiting } from './store.ts'
import { itemsOf, workThrough } from './work-through.ts'

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

const deps = () => ({ database: own.database, clock: n.clock })
const text = (id: string, from = ana) => textItem(n.clock.now(), from, `wamid.${id}`, id)
const messages = (...items: readonly unknown[]) => changeOf(n.stage.phoneNumberId, { messages: items })
/** What a bug does to a text of this beginning, until the answer is called. */
const refuse = (words = 'boom') =>
  refuseInDatabase(own.database, {
    table: 'message',
    when: 'before insert',
    body: `if new.text like 'poison%' then raise exception '${words}'; end if;`,
  })
const only = async () => {
  const [item, ...others] = await n.setAside()
  if (item === undefined || others.length > 0) throw new Error('one item lies set aside')
  return { ...item, id: item.id as Uuid }
}
const dayAgo = () => new Date(n.clock.now().getTime() - 86_400_000)

/** An item that a bug kept from being worked through, between two that were. */
async function oneSetAside(): Promise<void> {
  mend = await refuse()
  await n.keep(noticeOf(messages(text('before'), text('poison'), text('behind'))))
  n.start()
  await n.settled()
  await only()
}

/** What lies aside, but for when it was put there. */
const lying = async () => (await n.setAside()).map(({ field, reason, body }) => JSON.stringify({ field, reason, body })).sort()

/** Every row of every table, but for what keeps the books of notices. */
async function everything(): Promise<Record<string, string[]>> {
  const tables = await sql<{ name: string }>(
    own.database,
    `select relname as name from pg_class
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition
      and relname <> all($1::text[]) order by 1`,
    [['inbox', 'notice_set_aside', 'applied_migration', 'migration']],
  )
  const found: Record<string, string[]> = {}
  for (const { name } of tables) {
    const rows = await sql<{ row: string }>(own.database, `select t::text || ' ' || t.tableoid::text as row from ${name} t order by 1`)
    found[name] = rows.map((each) => each.row)
  }
  return found
}

describe('replaying an item that lies set aside', () => {
  // rule: receive 20
  test('works it through once the reason is gone, with its event; its neighbours stay as they are', async () => {
    await oneSetAside()
    expect(await n.told()).toEqual(['message.received before', 'message.received behind'])
    await mend()
    expect(await replayItem(deps(), (await only()).id)).toEqual({ ok: true, value: 1 })
    await n.settled()
    expect(await n.told()).toEqual(['message.received before', 'message.received behind', 'message.received poison'])
    expect(await n.setAside()).toEqual([])
  })

  test('works it through also when its notice is not kept any more', async () => {
    await oneSetAside()
    await mend()
    await sql(own.database, 'delete from inbox')
    expect(await replayItem(deps(), (await only()).id)).toEqual({ ok: true, value: 1 })
    expect(await n.setAside()).toHaveLength(1)
    await n.settled()
    expect(await n.told()).toContain('message.received poison')
    expect(await n.setAside()).toEqual([])
  })

  test('that fails again leaves it there, once, with its new reason', async () => {
    await oneSetAside()
    await mend()
    mend = await refuse('bang')
    const before = await only()
    await replayItem(deps(), before.id)
    await n.settled()
    const after = await only()
    expect([before.reason, after.reason]).toEqual(['boom', 'bang'])
    expect(after.body).toBe(before.body)
  })

  test('is put off once more while it waits, and refused for what does not lie there', async () => {
    await oneSetAside()
    await n.stop()
    const { id } = await only()
    expect(await Promise.all([replayItem(deps(), id), replayItem(deps(), id)])).toEqual(
      expect.arrayContaining([
        { ok: true, value: 1 },
        { ok: true, value: 0 },
      ]),
    )
    expect(await listSetAside(own.database, 10)).toMatchObject([{ id, replaying: true }])
    expect(await replayItem(deps(), newUuid(n.clock.now()))).toMatchObject({ ok: false, refusal: { code: 'not_found' } })
  })

  test('twice at once without its notice makes one notice of it', async () => {
    await oneSetAside()
    await n.stop()
    await sql(own.database, 'delete from inbox')
    const { id } = await only()
    const both = await Promise.all([replayItem(deps(), id), replayItem(deps(), id)])
    expect(both.map((each) => (each.ok ? each.value : -1)).toSorted()).toEqual([0, 1])
    expect(await sql(own.database, 'select 1 from inbox')).toHaveLength(1)
  })

  test('that dies before its commit leaves the item where it lies', async () => {
    await oneSetAside()
    await n.stop()
    await mend()
    await replayItem(deps(), (await only()).id)
    // A process that is killed with everything done and nothing committed.
    const died = own.database.transaction(async (tx) => {
      const { notices } = await takeWaiting(tx, 'replay', { now: n.clock.now(), most: 50, afterLane: -1 })
      expect(notices).toHaveLength(1)
      await workThrough(tx, n.clock, itemsOf(notices), async () => {})
      throw new Error('killed')
    })
    await expect(died).rejects.toThrow('killed')
    expect(await n.told()).toHaveLength(2)
    await only()
    n.start()
    await n.settled()
    expect(await n.told()).toContain('message.received poison')
    expect(await n.setAside()).toEqual([])
  })
})

describe('replaying all notices since a moment', () => {
  test('keeps what waits for it, also when the day of the notice is older than what is kept', async () => {
    const inbox = present(
      partitionedTables.find((each) => each.table === 'inbox'),
      'it is partitioned',
    )
    const old = new Date(n.clock.now().getTime() - 30 * 86_400_000)
    await makePartitionsAt(own.database, inbox, [old])
    const id = newUuid(old)
    await insertNotices(own.database, [{ id, livemode: true, accountId: null, body: Buffer.from('{}'), dueAt: old, receivedAt: old }])
    await own.database.transaction((tx) => finishNotices(tx, [id]))
    await own.database.transaction((tx) => markForReplay(tx, [id], n.clock.now()))
    const drop = async () => (await dropOldPartitions(own.database, [inbox], n.clock.now())).dropped
    expect(await drop()).toEqual([])
    await own.database.transaction((tx) => finishNotices(tx, [id]))
    expect(await drop()).toHaveLength(1)
    expect(await sql(own.database, 'select 1 from inbox where id = $1', [id])).toEqual([])
  })

  test('reads no whole day to see whether one of it waits', async () => {
    const { keptWhile } = present(
      partitionedTables.find((each) => each.table === 'inbox'),
      'it is partitioned',
    )
    const rows = await sql<{ 'QUERY PLAN': string }>(own.database, `explain select from inbox where ${keptWhile} limit 1`)
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    expect(plan).not.toContain('Seq Scan')
    expect(plan).toContain('BitmapOr')
  })

  test('counts what came at that moment or later, and nothing twice', async () => {
    await n.keep(noticeOf(messages(text('early'))))
    n.clock.advance(1)
    const since = n.clock.now()
    await n.keep(noticeOf(messages(text('first'))))
    n.clock.advance(1)
    await n.keep(noticeOf(messages(text('second'))))
    n.start()
    await n.settled()
    await n.stop()
    const counts = await Promise.all([replaySince(deps(), since), replaySince(deps(), since)])
    expect(counts.reduce((sum, each) => sum + each)).toBe(2)
    expect(await replaySince(deps(), since)).toBe(0)
  })

  test('goes over more than one transaction marks, and may be broken off and asked for again', async () => {
    const now = n.clock.now()
    await sql(
      own.database,
      `insert into inbox (id, livemode, body, state, due_at, received_at)
      select overlay($1::text placing lpad(to_hex(i), 12, '0') from 25 for 12)::uuid, true, '{"entry":[]}', 1, $2, $2 from generate_series(1, 2500) i`,
      [newUuid(now), now],
    )
    let left = 1
    const breaking = {
      ...own.database,
      repeatable: (async (work) => {
        if (left === 0) throw new Error('killed')
        left -= 1
        return own.database.repeatable(work)
      }) as typeof own.database.repeatable,
    }
    await expect(replaySince({ ...deps(), database: breaking }, dayAgo())).rejects.toThrow('killed')
    const marked = () => sql(own.database, 'select 1 from inbox where state = 2')
    expect(await marked()).toHaveLength(1_000)
    expect(await replaySince(deps(), dayAgo())).toBe(1_500)
    expect(await marked()).toHaveLength(2_500)
  })

  // rule: receive 20
  test('emits what was never emitted, and of everything else no row changes', async () => {
    mend = await refuse()
    const ids = Array.from({ length: 60 }, (_, i) => (i % 5 === 0 ? `poison-${i}` : `good-${i}`))
    for (let i = 0; i < ids.length; i += 6) await n.keep(noticeOf(messages(...ids.slice(i, i + 6).map((id) => text(id)))))
    n.start()
    await n.settled()
    expect(await n.told()).toHaveLength(48)
    const before = await everything()
    await mend()
    expect(await replaySince(deps(), dayAgo())).toBe(10)
    await n.settled()
    expect(await n.told()).toEqual(ids.map((id) => `message.received ${id}`).sort())
    expect(await n.setAside()).toEqual([])
    const after = await everything()
    for (const table of ['message', 'event', 'contact'])
      expect(after[table]?.filter((row) => before[table]?.includes(row))).toEqual(before[table])
  })

  // rule: receive 20
  test('of a random history emits no event and changes no row but those of the inbox', { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(histories, fc.array(fc.nat({ max: 20 }), { maxLength: 3 }), async (steps, alone) => {
        await n.stop()
        n = await newNoticeStage(own.database)
        await live(steps)
        // What was parked has been tried again meanwhile.
        await n.pass(12)
        await n.settled()
        const before = await everything()
        const aside = await lying()
        // Some by themselves, which come behind all that came after them.
        const ids = await sql<{ id: Uuid }>(own.database, 'select id from inbox order by id')
        for (const i of alone) {
          await own.database.transaction((tx) => markForReplay(tx, [ids[i % ids.length]?.id as Uuid], n.clock.now()))
          await n.settled()
          expect(await everything()).toEqual(before)
        }
        expect(await replaySince(deps(), dayAgo())).toBe(ids.length)
        await n.settled()
        expect(await everything()).toEqual(before)
        expect(await lying()).toEqual(aside)
      }),
      // Shrinking would take longer than reading one history.
      { numRuns: 12, endOnFailure: true },
    )
  })

  test('never gives a person an older name back', async () => {
    const named = (id: string, name: string) =>
      noticeOf(changeOf(n.stage.phoneNumberId, { contacts: [{ wa_id: ana, profile: { name } }], messages: [text(id)] }))
    await n.keep(named('one', 'Old'))
    n.clock.advance(1_000)
    await n.keep(named('two', 'New'))
    n.start()
    await n.settled()
    const [first] = await sql<{ id: Uuid }>(own.database, 'select id from inbox order by id limit 1')
    await own.database.transaction((tx) => markForReplay(tx, [first?.id as Uuid], n.clock.now()))
    await n.settled()
    expect(n.observed.some((each) => each.kind === 'notices.replayed')).toBe(true)
    expect(await sql(own.database, 'select name from contact where account_id = $1', [n.stage.accountId])).toEqual([{ name: 'New' }])
  })

  test('while new notices come, in two processes, each message is taken in once', async () => {
    mend = await refuse()
    const ids = Array.from({ length: 40 }, (_, i) => (i % 4 === 0 ? `poison-${i}` : `good-${i}`))
    await n.keep(...ids.slice(0, 20).map((id) => noticeOf(messages(text(id)))))
    n.start()
    n.start()
    await n.settled()
    await mend()
    for (const id of ids.slice(20)) {
      await n.keep(noticeOf(messages(text(id))))
      await replaySince(deps(), dayAgo())
      n.clock.advance(20)
    }
    await n.settled()
    expect(await n.told()).toEqual(ids.map((id) => `message.received ${id}`).sort())
    expect(await n.setAside()).toEqual([])
  })

  // rule: receive 21
  test('waits while a new notice is late, and goes on when it is not', async () => {
    await n.keep(noticeOf(messages(text('old'))))
    n.start()
    await n.settled()
    // Another process has it and is slow: it is late, whoever works on it.
    const held = Promise.withResolvers<void>()
    await n.stop()
    await n.keep(noticeOf(messages(text('new'))))
    const locked = Promise.withResolvers<void>()
    const holder = own.database.transaction(async (tx) => {
      await takeWaiting(tx, 'live', { now: n.clock.now(), most: 1, afterLane: -1 })
      locked.resolve()
      await held.promise
    })
    await locked.promise
    await replaySince(deps(), dayAgo())
    n.clock.advance(1_000)
    n.observed.length = 0
    n.start()
    const looks = () => n.observed.filter((each) => each.kind === 'notices.replayed').length
    for (let i = 0; i < 50; i += 1) {
      n.clock.advance(100)
      await sql(own.database, 'select 1')
    }
    expect(looks()).toBe(0)
    held.resolve()
    await holder
    await n.settled()
    expect(looks()).toBe(1)
    expect(await n.texts()).toEqual(['new', 'old'])
  })
})

describe('a notice of a number that is not connected', () => {
  const strange = '900900'
  const connect = async (phoneNumberId = strange) => {
    // Its WABA has it.
    const graph: Graph = {
      ...goodGraph,
      call: async (call) =>
        call.path.includes('/phone_numbers')
          ? { kind: 'answer', statusCode: 200, body: JSON.stringify({ data: [{ id: phoneNumberId }] }) }
          : goodGraph.call(call),
    }
    const input = { accountId: n.stage.accountId, phoneNumberId, wabaId: '1', token: 'EAA', pin: null }
    const connected = await connectChannel({ ...deps(), graph, secretKey }, input)
    if (!connected.ok) throw new Error(connected.refusal.message)
  }

  // rule: receive 22
  test('is worked through by itself once the number is connected, however many there are; that of another number lies on', async () => {
    const many = Array.from({ length: 600 }, (_, i) => `m${i}`)
    await n.keep(
      noticeOf(changeOf(strange, { messages: many.map((id) => text(id)) })),
      noticeOf(changeOf('900901', { messages: [text('other')] })),
    )
    n.start()
    await n.settled()
    expect(await n.setAside()).toHaveLength(601)
    expect(await n.texts()).toEqual([])
    await connect()
    await n.until(async () => expect(await n.setAside()).toHaveLength(1), 500)
    await n.settled()
    expect(await n.texts()).toEqual(many.toSorted())
    expect(await n.told()).toHaveLength(600)
    expect(await n.setAside()).toMatchObject([{ awaits_number: '900901' }])
  })

  test('is worked through also when it came longer ago than notices are kept', async () => {
    await n.keep(noticeOf(changeOf('900902', { messages: [text('a'), text('b')] })))
    n.start()
    await n.settled()
    await sql(own.database, 'delete from inbox')
    await connect('900902')
    await n.until(async () => expect(await n.setAside()).toEqual([]), 500)
    expect(await n.texts()).toEqual(['a', 'b'])
  })

  // rule: receive 22
  test('of longer than an hour before stays set aside, however many there are, and only the operator lets it be worked through', async () => {
    const old = Array.from({ length: 600 }, (_, i) => text(`old${i}`))
    await n.keep(noticeOf(changeOf('900903', { messages: old })))
    n.start()
    await n.settled()
    n.clock.advance(3_600_001)
    await n.keep(noticeOf(changeOf('900903', { messages: [text('new')] })))
    await n.settled()
    expect(await n.setAside()).toHaveLength(601)
    await connect('900903')
    await n.until(async () => expect(await n.setAside()).toHaveLength(600), 500)
    expect(await n.texts()).toEqual(['new'])
    await n.until(async () => expect((await n.setAside()).filter((each) => each.awaits_number !== null)).toEqual([]), 500)
    expect(await n.texts()).toEqual(['new'])
    const [first] = await n.setAside()
    await replayItem(deps(), present(first, 'one of them').id as Uuid)
    // With the whole notice that told it.
    await n.until(async () => expect(await n.texts()).toHaveLength(601), 500)
  })

  test('that a test key’s upstream told of another account’s number is not tried again and again', async () => {
    const other = await newStage(own.database, n.clock)
    const { keepSimulated } = createNoticeKeeper({ ...deps(), observe: () => {}, wake: () => {} })
    const body = Buffer.from(JSON.stringify(noticeOf(messages(text('x')))))
    await keepSimulated([{ accountId: other.accountId, dueAt: n.clock.now(), body }])
    n.start()
    await n.settled()
    const before = await only()
    expect(before.awaits_number).toBeNull()
    n.observed.length = 0
    for (let i = 0; i < 30; i += 1) {
      n.clock.advance(1_000)
      await sql(own.database, 'select 1')
    }
    expect((await only()).id).toBe(before.id)
    expect(n.observed.filter((each) => each.kind === 'notices.replayed')).toEqual([])
  })
})

/** What can happen, in the order in which notices come. Many fall on the same few people and messages. */
type Step =
  | { kind: 'text'; who: number; id: number; name: number | null; agoSeconds: number }
  | { kind: 'status'; of: number; status: string; agoSeconds: number; more: number }
  | { kind: 'fixture'; name: string }
  | { kind: 'broken'; body: string }
  | { kind: 'again'; step: number }

const folder = new URL('../../../test/fixtures/notices/', import.meta.url)
const fixtures = readdirSync(folder).filter((name) => name.endsWith('.json'))
const who = fc.nat({ max: 4 })
const agoSeconds = fc.nat({ max: 100_000 })
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('text' as const), who, id: fc.nat({ max: 30 }), name: fc.option(who), agoSeconds }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('status' as const),
      of: fc.nat({ max: 6 }),
      status: fc.constantFrom('sent', 'delivered', 'read', 'failed', 'played'),
      agoSeconds,
      more: fc.nat({ max: 2 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('fixture' as const), name: fc.constantFrom(...fixtures) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('broken' as const), body: fc.constantFrom('no json', '{"entry":[{}]}', '[]') }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('again' as const), step: fc.nat({ max: 10 }) }) },
)
const histories = fc.array(fc.array(step, { minLength: 1, maxLength: 5 }), { minLength: 5, maxLength: 25 })

const mores = [
  {},
  { pricing: { billable: true, category: 'utility' }, errors: [{ code: 131_026, title: 'Undeliverable' }] },
  { biz_opaque_callback_data: 'of another tool' },
]

/** Lets a history happen: four sends that upstream named, one that it did not, and the notices of all steps. */
async function live(steps: readonly (readonly Step[])[]): Promise<void> {
  const { stage, clock } = n
  const policy = { allowPrivate: true, allowCidrs: [], certificateAuthorities: null, ownEndpoints: [] }
  const webhook = { accountId: stage.accountId, url: 'https://receiver.example/a', events: ['*' as const], description: null }
  if (!(await registerWebhook({ ...deps(), policy, secretKey }, webhook)).ok) throw new Error('the webhook is good')
  await person(own.database, clock, stage, ana)
  const sends = Array.from({ length: 5 }, () => textTo(clock, stage, ana))
  await sendMessages({ ...deps(), wakeLanes: () => {} }, sends)
  await own.database.transaction((tx) =>
    claimWamids(
      tx,
      sends.slice(0, 4).map(({ id }, i) => ({ ...stage, livemode: true, wamid: `wamid.OUT${i}` as never, messageId: id })),
    ),
  )
  n.start()
  const bodies: string[] = []
  for (const group of steps) {
    const told = group.map((each) => bodyOf(each, bodies))
    bodies.push(...told)
    await n.keep(...told)
    clock.advance(700)
  }
  await n.settled()
}

function bodyOf(each: Step, earlier: readonly string[]): string {
  const { phoneNumberId } = n.stage
  const at = 'agoSeconds' in each ? new Date(n.clock.now().getTime() - each.agoSeconds * 1_000) : n.clock.now()
  switch (each.kind) {
    case 'text': {
      const from = `551198765432${each.who}`
      const contacts =
        each.name === null ? {} : { contacts: [{ wa_id: from, user_id: `BR.${each.who}`, profile: { name: `Name ${each.name}` } }] }
      return JSON.stringify(noticeOf(changeOf(phoneNumberId, { ...contacts, messages: [textItem(at, from, `wamid.IN${each.id}`, 'Oi')] })))
    }
    case 'status':
      return JSON.stringify(
        noticeOf(changeOf(phoneNumberId, { statuses: [statusItemOf(at, `wamid.OUT${each.of}`, each.status, mores[each.more] ?? {})] })),
      )
    case 'fixture':
      // As if it were of our number, where it is of the first of its world.
      return readFileSync(new URL(each.name, folder), 'utf8').replaceAll('118350927764405', phoneNumberId)
    case 'broken':
      return each.body
    case 'again':
      return earlier[each.step] ?? '{}'
  }
}
