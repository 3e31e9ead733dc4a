import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts'
import { newStage, person, type Stage, sql, textTo } from '../../../test/support/stage.ts'
import { type ManualClock, manualClock } from '../../base/clock.ts'
import { formatId, newUuid, type Uuid } from '../../base/id.ts'
import type { Loop } from '../../platform/lanes/loop.ts'
import { applyMoves } from '../messages/apply-moves.ts'
import type { Wamid } from '../messages/message.ts'
import { sendMessages } from '../messages/send.ts'
import { createNoticeKeeper } from './keep.ts'
import { type NoticeObservation, startNotices } from './lanes.ts'

const ana = '5511987654321'
const bia = '5511987654322'
const business = '551140000000'
let own: TestDatabase
let clock: ManualClock
let stage: Stage
let loops: Loop[]
let observed: NoticeObservation[]

beforeAll(async () => {
  own = await testDatabase()
  // Today, because the test database has today's partitions; one for all tests, because ids made for an earlier moment are in no order.
  clock = manualClock(new Date().toISOString())
})
afterAll(() => own.close())
beforeEach(async () => {
  loops = []
  observed = []
  for (const table of ['inbox', 'notice_set_aside', 'parked_status', 'file_fetch']) await sql(own.database, `truncate ${table}`)
  stage = await newStage(own.database, clock)
})
afterEach(async () => {
  for (const loop of loops) await loop.stop()
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
/** One notice with all of it. */
const keep = async (...changes: object[]) => {
  const { keep } = createNoticeKeeper({ database: own.database, clock, observe: () => {}, wake: () => {} })
  const body = Buffer.from(JSON.stringify({ object: 'whatsapp_business_account', entry: [{ id: '1', changes }] }))
  await keep({ id: newUuid(clock.now()), livemode: true, accountId: null, body, dueAt: clock.now(), receivedAt: clock.now() })
}
const worked = () =>
  vi.waitFor(
    async () => {
      clock.advance(50)
      expect(await sql(own.database, 'select 1 from inbox where state = 0')).toEqual([])
    },
    { timeout: 20_000, interval: 2 },
  )
/** Each in a notice of its own, worked through before the next comes. */
const tell = async (...changes: object[]) => {
  if (loops.length === 0) start()
  for (const each of changes) {
    await keep(each)
    await worked()
  }
}

const begin = Math.floor(Date.now() / 1_000) - 1_000
const seconds = (n: number) => String(begin + n)
const change = (value: object, field = 'messages') => ({
  field,
  value: {
    messaging_product: 'whatsapp',
    metadata: { display_phone_number: business, phone_number_id: stage.phoneNumberId },
    ...value,
  },
})
const says = (item: object, from = ana) => change({ contacts: [{ wa_id: from, profile: { name: 'Ana' } }], messages: [{ from, ...item }] })
let items = 0
const itemId = () => {
  items += 1
  return `wamid.ITEM${items}`
}
const text = (id: string, at: number, body = 'first words', from = ana) =>
  says({ id, timestamp: seconds(at), type: 'text', text: { body } }, from)
const image = (id: string, at: number, caption = 'first words') =>
  says({ id, timestamp: seconds(at), type: 'image', image: { id: '77', mime_type: 'image/png', sha256: 'AAAA', caption } })
const edits = (target: string, at: number, body: string, id = itemId()) =>
  says({
    id,
    timestamp: seconds(at),
    type: 'edit',
    edit: { original_message_id: target, message: { context: { id: 'M0' }, type: 'text', text: { body } } },
  })
const deletes = (target: string, at: number, id = itemId()) =>
  says({ id, timestamp: seconds(at), type: 'revoke', revoke: { original_message_id: target } })
const reacts = (target: string, at: number, emoji?: string, { from = ana, id = itemId() } = {}) =>
  says({ id, timestamp: seconds(at), type: 'reaction', reaction: { message_id: target, ...(emoji === undefined ? {} : { emoji }) } }, from)
const echo = (item: object) => change({ message_echoes: [{ from: business, to: ana, ...item }] }, 'smb_message_echoes')
const echoed = (id: string, at: number, body = 'from the app') => echo({ id, timestamp: seconds(at), type: 'text', text: { body } })

type Row = { id: Uuid; direction: string; type: string; kind: string; status: string; text: string | null; meta: string | null }
const messages = () =>
  sql<Row>(own.database, 'select id, direction, type, kind, status, text, meta from message where account_id = $1 order by id', [
    stage.accountId,
  ])
const events = async () =>
  (await sql<{ body: Buffer }>(own.database, 'select body from event where account_id = $1 order by id', [stage.accountId])).map((row) =>
    JSON.parse(row.body.toString('utf8')),
  )
const told = async () => (await events()).map(({ type, data }) => [type, data.reaction === undefined ? data.text : data.reaction.emoji])
const isOpen = async () => (await sql(own.database, 'select 1 from contact_window where account_id = $1', [stage.accountId])).length > 0

// rule: receive 11
describe('edits and deletions', () => {
  test('in order: each changes the message and is told, meta included', async () => {
    await tell(text('wamid.A', 1), edits('wamid.A', 2, 'second words'), deletes('wamid.A', 3))
    expect(await told()).toEqual([
      ['message.received', 'first words'],
      ['message.edited', 'second words'],
      ['message.deleted', null],
    ])
    const [received, edited, deleted] = await events()
    expect(edited.data).toEqual({ ...received.data, text: 'second words', meta: { ...received.data.meta, text: { body: 'second words' } } })
    const { text: _text, ...wordless } = received.data.meta
    expect(deleted.data).toEqual({ ...received.data, text: null, meta: wordless })
    expect(await messages()).toMatchObject([{ text: null, meta: JSON.stringify(wordless) }])
  })

  test('an edit that comes late is not told, and changes nothing', async () => {
    await tell(text('wamid.A', 1), edits('wamid.A', 3, 'third words'), edits('wamid.A', 2, 'second words'))
    expect(await told()).toEqual([
      ['message.received', 'first words'],
      ['message.edited', 'third words'],
    ])
    expect(await messages()).toMatchObject([{ text: 'third words' }])
  })

  test('of edits in one notice each is told, in the order of their times', async () => {
    await tell(text('wamid.A', 1))
    await keep(edits('wamid.A', 3, 'third words'), edits('wamid.A', 2, 'second words'))
    await worked()
    expect((await told()).slice(1)).toEqual([
      ['message.edited', 'second words'],
      ['message.edited', 'third words'],
    ])
  })

  test('nothing brings deleted words back', async () => {
    await tell(text('wamid.A', 1), deletes('wamid.A', 3), edits('wamid.A', 2, 'second words'), edits('wamid.A', 4, 'fourth words'))
    await tell(text('wamid.A', 1), deletes('wamid.A', 5))
    expect(await told()).toEqual([
      ['message.received', 'first words'],
      ['message.deleted', null],
    ])
    expect((await messages())[0]?.meta).not.toContain('words')
  })

  test('the same once more changes nothing and is not told', async () => {
    const [edit, deletion] = [edits('wamid.A', 2, 'second words'), deletes('wamid.A', 3)]
    await tell(text('wamid.A', 1), edit, edit, deletion, edit, deletion)
    await keep(deletion, deletion, edit)
    await worked()
    expect(await told()).toHaveLength(3)
  })

  test('a person’s never touch what we sent', async () => {
    const send = await ours('wamid.OUT')
    await tell(edits('wamid.OUT', 2, 'forged'), deletes('wamid.OUT', 3))
    expect((await messages()).find((each) => each.id === send)).toMatchObject({ text: 'Olá' })
    expect(await told()).toEqual([['message.sent', 'Olá']])
  })

  test('open no window, though they may be all that is known of the person', async () => {
    await tell(edits('wamid.A', 2, 'second words'), deletes('wamid.A', 3))
    expect(await isOpen()).toBe(false)
    await tell(reacts('wamid.B', 4, '👍'))
    expect(await isOpen()).toBe(true)
  })
})

describe('reactions', () => {
  test('of each person by itself; the newest counts, and an older one is not told', async () => {
    await tell(text('wamid.A', 1))
    await tell(reacts('wamid.A', 3, '👍'), reacts('wamid.A', 2, '😮'), reacts('wamid.A', 2, '❤️', { from: bia }), reacts('wamid.A', 4))
    expect((await told()).slice(1)).toEqual([
      ['message.reaction', '👍'],
      ['message.reaction', '❤️'],
      ['message.reaction', ''],
    ])
    expect(
      await sql(own.database, 'select emoji from message_reaction where account_id = $1 order by reacted_at', [stage.accountId]),
    ).toEqual([{ emoji: '❤️' }, { emoji: '' }])
    const [, , second] = await events()
    expect(second.data).toMatchObject({
      contact: { phone: ana },
      reaction: { message_id: second.data.id, contact: { phone: bia }, created_at: new Date((begin + 2) * 1_000).toISOString() },
    })
  })

  // rule: people 4
  test('of two people who turn out to be one are that one’s: what is older than the newest of them is not told', async () => {
    const known = (id: string, at: number, emoji: string, who: { from?: string; from_user_id?: string }) =>
      change({ messages: [{ ...who, id, timestamp: seconds(at), type: 'reaction', reaction: { message_id: 'wamid.A', emoji } }] })
    await tell(text('wamid.A', 1, 'first words', bia))
    await tell(known('wamid.R1', 5, '👍', { from_user_id: 'BR.77' }))
    // The two names in one notice: whoever wrote by user id is the person of the phone.
    await tell(
      change({
        messages: [{ from: ana, from_user_id: 'BR.77', id: 'wamid.B', timestamp: seconds(6), type: 'text', text: { body: 'Oi' } }],
      }),
    )
    await tell(known('wamid.R2', 4, '😮', { from: ana }), known('wamid.R3', 7, '❤️', { from: ana }))
    const reactions = (await events()).filter((each) => each.type === 'message.reaction')
    expect(reactions.map(({ data }) => data.reaction.emoji)).toEqual(['👍', '❤️'])
  })

  test('the same once more, alone or with its neighbours, is not told', async () => {
    const [up, down] = [reacts('wamid.A', 2, '👍'), reacts('wamid.A', 2)]
    await tell(text('wamid.A', 1), up, down, up)
    await keep(up, down)
    await worked()
    expect((await told()).slice(1)).toEqual([
      ['message.reaction', '👍'],
      ['message.reaction', ''],
    ])
    expect(await sql(own.database, 'select emoji from message_reaction where account_id = $1', [stage.accountId])).toEqual([{ emoji: '' }])
  })
})

// rule: receive 13
describe('a message that is not known', () => {
  test('gets a placeholder; its original fills it late and is told once, with the words that are known by then', async () => {
    await tell(edits('wamid.A', 3, 'third words'))
    const [placeholder] = await messages()
    expect(placeholder).toMatchObject({ direction: 'inbound', type: 'system', status: 'received', text: 'third words', meta: null })
    await tell(text('wamid.A', 1), text('wamid.A', 1))
    expect(await told()).toEqual([
      ['message.edited', 'third words'],
      ['message.received', 'third words'],
    ])
    const [filled] = await messages()
    expect(filled).toMatchObject({ id: placeholder?.id, type: 'text', text: 'third words' })
    expect(filled?.meta).toContain('third words')
    expect(filled?.meta).not.toContain('first words')
    await tell(edits('wamid.A', 2, 'second words'))
    expect(await told()).toHaveLength(2)
  })

  test('that was deleted is told without its words, and its file is not fetched', async () => {
    await tell(deletes('wamid.A', 3), image('wamid.A', 1))
    expect(await told()).toEqual([
      ['message.deleted', null],
      ['message.received', null],
    ])
    const [, received] = await events()
    expect(received.data).toMatchObject({ type: 'image', text: null, media: null })
    expect(JSON.stringify(received.data.meta)).not.toContain('words')
    expect(await sql(own.database, 'select 1 from file_fetch')).toEqual([])
  })

  test('that was reacted to is told of when it comes, whoever reacted', async () => {
    await tell(reacts('wamid.A', 3, '👍', { from: bia }), text('wamid.A', 1))
    expect((await events()).map(({ type, data }) => [type, data.type, data.contact.phone])).toEqual([
      ['message.reaction', 'system', bia],
      ['message.received', 'text', ana],
    ])
  })

  test('in one notice with its original needs none', async () => {
    await keep(reacts('wamid.A', 3, '👍'), deletes('wamid.A', 4), text('wamid.A', 1), edits('wamid.A', 2, 'second words'))
    start()
    await worked()
    expect(await told()).toEqual([
      ['message.received', 'first words'],
      ['message.edited', 'second words'],
      ['message.reaction', '👍'],
      ['message.deleted', null],
    ])
    expect(await messages()).toHaveLength(1)
  })

  test('with two processes at work at once there is one message, and each act and the original are told once', async () => {
    for (let n = 0; n < 20; n += 1) {
      await keep(reacts(`wamid.${n}`, 3, '👍'))
      await keep(text(`wamid.${n}`, 1))
      await keep(edits(`wamid.${n}`, 2, 'second words'))
      await keep(deletes(`wamid.${n}`, 4))
    }
    start(3)
    await worked()
    expect(await messages()).toHaveLength(20)
    expect((await messages()).every((each) => each.type === 'text' && each.text === null)).toBe(true)
    const counts = Object.groupBy(await events(), (each) => each.type)
    expect([counts['message.received']?.length, counts['message.reaction']?.length, counts['message.deleted']?.length]).toEqual([
      20, 20, 20,
    ])
    expect(await sql(own.database, 'select 1 from notice_set_aside')).toEqual([])
  })
})

describe('a file that is still to come', () => {
  test('is written down, and nothing is told before it is here', async () => {
    await tell(image('wamid.A', 1), edits('wamid.A', 2, 'second words'))
    expect(await told()).toEqual([['message.edited', 'second words']])
    expect(await sql(own.database, 'select upstream_id, kind, sha256 from file_fetch')).toEqual([
      { upstream_id: '77', kind: 'image', sha256: null },
    ])
  })

  test('is not fetched any more once its message is deleted, which is told then', async () => {
    await tell(image('wamid.A', 1), deletes('wamid.A', 2))
    expect(await told()).toEqual([
      ['message.received', null],
      ['message.deleted', null],
    ])
    expect(await sql(own.database, 'select 1 from file_fetch')).toEqual([])
  })
})

/** A message of ours that upstream has under this wamid, known as that from the answer. */
async function ours(wamid: string): Promise<Uuid> {
  const id = await sent()
  await answer(id, wamid)
  return id
}
async function sent(): Promise<Uuid> {
  await person(own.database, clock, stage, ana)
  const send = textTo(clock, stage, ana)
  await sendMessages({ database: own.database, clock, wakeLanes: () => {} }, [send])
  return send.id
}
const answer = (id: Uuid, wamid: string) =>
  own.database.transaction((tx) =>
    applyMoves(tx, clock, [{ accountId: stage.accountId, id, move: { kind: 'accepted', wamid: wamid as Wamid, at: clock.now() } }]),
  )
const delivered = (wamid: string, more: object = {}) =>
  change({ statuses: [{ id: wamid, status: 'delivered', timestamp: seconds(5), recipient_id: ana, ...more }] })

// rule: receive 12
describe('what the business does in the phone’s own app', () => {
  test('is kept as sent and not told, nor are its statuses; what a person does to it is', async () => {
    await tell(echoed('wamid.E', 1), echoed('wamid.E', 1), delivered('wamid.E'))
    expect(await messages()).toMatchObject([{ direction: 'outbound', type: 'text', status: 'delivered', text: 'from the app' }])
    expect(await told()).toEqual([])
    expect(await isOpen()).toBe(false)
    await tell(reacts('wamid.E', 6, '👍'))
    expect(await told()).toEqual([['message.reaction', '👍']])
  })

  test('the echo of a send of ours is no second message, when it comes after the answer', async () => {
    const id = await ours('wamid.OUT')
    await tell(echoed('wamid.OUT', 1), delivered('wamid.OUT'))
    expect(await messages()).toMatchObject([{ id, status: 'delivered', text: 'Olá' }])
    expect((await told()).map(([type]) => type)).toEqual(['message.sent', 'message.delivered'])
  })

  test('nor when it comes before the answer, with statuses before it too', async () => {
    const id = await sent()
    await tell(echoed('wamid.OUT', 1), delivered('wamid.OUT', { biz_opaque_callback_data: `${formatId('msg', id)}.1` }))
    await answer(id, 'wamid.OUT')
    await tell(delivered('wamid.OUT'), change({ statuses: [{ id: 'wamid.OUT', status: 'read', timestamp: seconds(7) }] }))
    expect(await messages()).toMatchObject([{ id, status: 'read' }])
    expect((await told()).map(([type]) => type).toSorted()).toEqual(['message.delivered', 'message.read', 'message.sent'])
  })

  test('a reaction that comes before the answer is of our send from then on', async () => {
    const id = await sent()
    await tell(reacts('wamid.OUT', 3, '👍'))
    await answer(id, 'wamid.OUT')
    await tell(reacts('wamid.OUT', 4, '❤️'), reacts('wamid.OUT', 2, '😮'))
    const reactions = (await events()).filter((each) => each.type === 'message.reaction')
    expect(reactions.map(({ data }) => [data.id === formatId('msg', id), data.reaction.emoji])).toEqual([
      [false, '👍'],
      [true, '❤️'],
    ])
    expect(await sql(own.database, 'select message_id, emoji from message_reaction where account_id = $1', [stage.accountId])).toEqual([
      { message_id: id, emoji: '❤️' },
    ])
  })

  test('its edits and deletions change what it sent, whatever order they come in, and never what a person sent', async () => {
    const act = (type: string, body: object, at: number) => echo({ id: itemId(), timestamp: seconds(at), type, [type]: body })
    const edit = (target: string, at: number) =>
      act('edit', { original_message_id: target, message: { type: 'text', text: { body: `edited at ${at}` } } }, at)
    const revoke = (target: string, at: number) => act('revoke', { original_message_id: target }, at)
    await tell(edit('wamid.E', 3), edit('wamid.E', 2), echoed('wamid.E', 1), revoke('wamid.F', 4), echoed('wamid.F', 1))
    await tell(text('wamid.A', 1), edit('wamid.A', 2), revoke('wamid.A', 3))
    expect((await messages()).map(({ direction, type, text }) => [direction, type, text])).toEqual([
      ['outbound', 'text', 'edited at 3'],
      ['outbound', 'text', null],
      ['inbound', 'text', 'first words'],
    ])
    expect(await told()).toEqual([['message.received', 'first words']])
  })
})

// rule: receive 14
describe('the history of a number', () => {
  const daySeconds = 86_400
  const past = (id: string, daysAgo: number, more: object = {}) => ({
    ...{ id, from: ana, type: 'text', text: { body: id }, history_context: { status: 'READ' } },
    timestamp: String(Math.floor(clock.now().getTime() / 1_000) - daysAgo * daySeconds),
    ...more,
  })
  const history = (...list: object[]) =>
    change({ history: [{ metadata: { phase: 0 }, threads: [{ id: ana, messages: list }] }] }, 'history')

  test('is kept under its own times, for which there is room then, is not told and opens no window', async () => {
    await tell(history(past('wamid.1', 150), past('wamid.2', 100, { from: business, to: ana }), past('wamid.3', 0)))
    const kept = await messages()
    expect(kept.map(({ direction, status, text }) => [direction, status, text])).toEqual([
      ['inbound', 'received', 'wamid.1'],
      ['outbound', 'read', 'wamid.2'],
      ['inbound', 'received', 'wamid.3'],
    ])
    expect(await told()).toEqual([])
    expect(await isOpen()).toBe(false)
    expect(observed.filter((each) => each.kind === 'notices.batch_failed')).toEqual([])
  })

  test('is imported once, and a message that is told now counts for more', async () => {
    await tell(history(past('wamid.1', 100)), history(past('wamid.1', 100)))
    expect(await messages()).toHaveLength(1)
    await tell(text('wamid.1', 1, 'now'), text('wamid.1', 1, 'now'), history(past('wamid.1', 100)))
    expect(await told()).toEqual([['message.received', 'now']])
    expect(await messages()).toHaveLength(1)
  })

  test.each([
    ['READ', 'read'],
    ['PLAYED', 'read'],
    ['DELIVERED', 'delivered'],
    ['SENT', 'sent'],
    ['PENDING', 'sent'],
    ['ERROR', 'failed'],
    ['a word to come', 'sent'],
  ])('what the business sent then and was %s is %s', async (word, status) => {
    await tell(history(past('wamid.1', 10, { from: business, to: ana, history_context: { status: word } })))
    expect(await messages()).toMatchObject([{ direction: 'outbound', status }])
  })

  test('what is not of the past year is set aside, and its neighbours are kept', async () => {
    await tell(history(past('wamid.1', 365), past('wamid.2', 367), past('wamid.3', -1), past('wamid.4', 3)))
    expect((await messages()).map((each) => each.text)).toEqual(['wamid.1', 'wamid.4'])
    expect(await sql(own.database, 'select field from notice_set_aside')).toEqual([{ field: 'history' }, { field: 'history' }])
  })

  test('that the business does not share, and reactions of then, leave nothing', async () => {
    const declined = change({ history: [{ errors: [{ code: 2593109, title: 'turned off' }] }] }, 'history')
    await tell(declined, history(past('wamid.1', 3, { type: 'reaction', reaction: { message_id: 'wamid.X', emoji: '👍' } })))
    expect(await messages()).toEqual([])
    expect(observed).toContainEqual({ kind: 'notices.errors_told', field: 'history', codes: [2593109] })
  })
})

// rule: receive 4
describe('without a message', () => {
  test('a person who calls, or opens the chat, opens the window', async () => {
    await tell(
      change({ calls: [{ id: 'wacid.1', from: business, to: ana, direction: 'BUSINESS_INITIATED', timestamp: seconds(1) }] }, 'calls'),
    )
    expect(await isOpen()).toBe(false)
    await tell(change({ calls: [{ id: 'wacid.2', from: ana, to: business, direction: 'USER_INITIATED', timestamp: seconds(1) }] }, 'calls'))
    expect(await isOpen()).toBe(true)
    expect(await messages()).toEqual([])
  })

  test('what the platform says of a person opens none', async () => {
    await tell(says({ id: 'wamid.S', timestamp: seconds(1), type: 'system', system: { body: 'changed', type: 'user_changed_number' } }))
    expect(await isOpen()).toBe(false)
    expect(await told()).toEqual([['message.received', 'changed']])
  })
})
