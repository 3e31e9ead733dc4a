import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestAccount } from '../support/accounts.ts'
import type { TestEvents } from '../support/events.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { ids, textTo } from '../support/texts.ts'

let gateway: TestGateway
let account: TestAccount
let events: TestEvents
beforeAll(async () => {
  gateway = await startTestGateway({ simulator: { statusDrop: ['sent', 'delivered', 'read', 'failed'] } })
  account = await gateway.account()
  events = await gateway.events(account)
})
afterAll(() => gateway.close())

const get = async (id: string) => (await gateway.call('GET', `/v1/messages/${id}`, { key: account.live })).body
/** A message that upstream took and of which it will say nothing by itself. */
const sentMessage = async (): Promise<{ id: string; wamid: string }> => {
  const person = gateway.newPerson()
  await gateway.letWrite(account, person)
  const { body } = await gateway.call('POST', '/v1/messages', { key: account.live, body: textTo(person) })
  const sent = await events.of(body.id, 'message.sent')
  return { id: body.id, wamid: sent.data.wamid }
}
const now = () => Math.floor(Date.now() / 1000)
const status = (wamid: string, name: string, more: object = {}) => ({
  id: wamid,
  status: name,
  timestamp: String(now()),
  recipient_id: '5511987654321',
  ...more,
})
const change = (value: object, phoneNumberId = account.channel.phoneNumberId) => ({
  field: 'messages',
  value: { messaging_product: 'whatsapp', metadata: { display_phone_number: '', phone_number_id: phoneNumberId }, ...value },
})
const notice = (...changes: object[]) => ({ object: 'whatsapp_business_account', entry: [{ id: account.channel.wabaId, changes }] })
const inbound = (from: string, wamid: string, more: object = {}) => ({
  contacts: [{ wa_id: from, profile: { name: 'Maria' } }],
  messages: [{ from, id: wamid, timestamp: String(now()), type: 'text', text: { body: 'Oi!' }, ...more }],
})
let wamids = 0
const newWamid = () => {
  wamids += 1
  return `wamid.NOTICE${wamids}`
}

/** Posts a notice as upstream does and waits until it has been worked through. */
const tell = async (body: unknown, options: Parameters<TestGateway['simulator']['postNotice']>[1] = {}) => {
  const [told] = await gateway.simulator.postNotice(body, options)
  expect(told).toEqual({ status: 200, error: null })
  await gateway.noticesWorked()
}
const tellStatuses = (...statuses: object[]) => tell(notice(change({ statuses })))
const received = (wamid: string) => events.until((event) => event.type === 'message.received' && event.data.wamid === wamid)
const countOf = async (sql: string): Promise<number> => {
  const [row] = await gateway.deps.database.all<{ count: number }>({ compile: () => ({ sql, parameters: [] }) as never })
  return row?.count ?? 0
}

describe('the handshake', () => {
  test('echoes the challenge for our verify token, as plain text', async () => {
    expect(await gateway.simulator.handshake()).toEqual({ echoed: true, status: 200, error: null })
  })

  test.each(['', 'another', 'verify-token-of-the-test'])('403 forbidden for the verify token "%s"', async (token) => {
    const query = { 'hub.mode': 'subscribe', 'hub.challenge': '1158201444', 'hub.verify_token': token }
    const { status: code, body, text } = await gateway.call('GET', '/upstream/notices', { query })
    expect([code, body.error.code]).toEqual([403, 'forbidden'])
    expect(text).not.toContain('1158201444')
  })

  test('403 forbidden for another mode, and for none at all', async () => {
    const query = { 'hub.mode': 'unsubscribe', 'hub.challenge': '1', 'hub.verify_token': 'verify-token-of-the-tests' }
    expect((await gateway.call('GET', '/upstream/notices', { query })).status).toBe(403)
    expect((await gateway.call('GET', '/upstream/notices')).status).toBe(403)
  })
})

// rule: receive 1
describe('401 unauthorized, and nothing is kept, for', () => {
  test.each(['wrong', 'none'] as const)('a signature that is %s', async (signature) => {
    const before = await countOf('select count(*)::integer as count from inbox')
    const wamid = newWamid()
    const [told] = await gateway.simulator.postNotice(notice(change(inbound('5511900000001', wamid))), { signature })
    expect(told?.status).toBe(401)
    expect(await countOf('select count(*)::integer as count from inbox')).toBe(before)
    expect(gateway.observations.all.some((each) => each.kind === 'notices.wrong_signature')).toBe(true)
  })

  test.each(['sha256=', 'sha256=00', `sha256=${'0'.repeat(64)}`, `sha1=${'0'.repeat(40)}`, 'hello'])(
    'the signature "%s"',
    async (header) => {
      const answer = await gateway.call('POST', '/upstream/notices', { body: '{}', headers: { 'x-hub-signature-256': header } })
      expect([answer.status, answer.body.error.code]).toEqual([401, 'unauthorized'])
    },
  )
})

// rule: receive 7
describe('a notice that cannot be read is answered 200 and set aside with its reason:', () => {
  test.each<[what: string, body: () => unknown]>([
    ['no JSON', () => 'this is not JSON'],
    ['JSON that breaks off', () => '{"object":"whatsapp_business_account","entry":['],
    ['no entries', () => ({ object: 'whatsapp_business_account' })],
    ['an entry that is a number', () => ({ object: 'whatsapp_business_account', entry: [7] })],
    ['a change without a value', () => notice({ field: 'messages' })],
    ['a number that is not connected here', () => notice(change(inbound('5511900000002', 'wamid.NOBODY'), '999999'))],
    [
      'a message without an id',
      () => notice(change({ messages: [{ from: '5511900000003', timestamp: '1', type: 'text', text: { body: 'x' } }] })),
    ],
    [
      'a message from nobody',
      () => notice(change({ messages: [{ id: 'wamid.X', timestamp: String(now()), type: 'text', text: { body: 'x' } }] })),
    ],
    ['a status that is a text', () => notice(change({ statuses: ['delivered'] }))],
    ['a status without an id', () => notice(change({ statuses: [{ status: 'read', timestamp: String(now()) }] }))],
  ])('%s', async (_what, make) => {
    const body = make()
    const aside = () => countOf('select count(*)::integer as count from notice_set_aside')
    const before = await aside()
    await tell(body, { escape: typeof body !== 'string' })
    expect(await aside()).toBe(before + 1)
  })

  test('and its neighbours in the same notice count all the same', async () => {
    const { id, wamid } = await sentMessage()
    const unknown = change({ statuses: [status('wamid.OF.ANOTHER.NUMBER', 'read')] }, '999999')
    const wrong = change({ statuses: [7, { status: 'read' }, status(wamid, 'delivered')] })
    const words = newWamid()
    await tell(
      notice(
        change({ statuses: [status(wamid, 'read')] }),
        unknown,
        wrong,
        { field: 'new_field', value: 1 },
        change(inbound('5511900000004', words)),
      ),
    )
    expect((await get(id)).status).toBe('read')
    expect((await get(id)).delivered_at).not.toBeNull()
    await received(words)
  })
})

// rule: states 1 to 5
describe('statuses', () => {
  test('in order: each moves the message, sets its own moment and is told once', async () => {
    const { id, wamid } = await sentMessage()
    for (const name of ['sent', 'delivered', 'read']) {
      await tellStatuses(status(wamid, name))
      expect((await get(id)).status).toBe(name)
    }
    await events.of(id, 'message.read')
    expect(events.kindsOf(id)).toEqual(['message.sent', 'message.delivered', 'message.read'])
  })

  test('out of order: the status only climbs, and a late one fills its own moment and is told', async () => {
    const { id, wamid } = await sentMessage()
    await tellStatuses(status(wamid, 'read', { timestamp: String(now() + 20) }))
    expect(await get(id)).toMatchObject({ status: 'read', delivered_at: null })
    await tellStatuses(status(wamid, 'delivered', { timestamp: String(now() + 10) }))
    const message = await get(id)
    expect(message.status).toBe('read')
    expect(message.delivered_at < message.read_at).toBe(true)
    const late = await events.of(id, 'message.delivered')
    expect(late.data.status).toBe('read')
    expect(events.kindsOf(id)).toEqual(['message.sent', 'message.read', 'message.delivered'])
  })

  test('twice, in two notices, in one, and from two posts at once: told once, and the first moment stays', async () => {
    const { id, wamid } = await sentMessage()
    const delivered = status(wamid, 'delivered')
    await tellStatuses(delivered, delivered)
    const first = (await get(id)).delivered_at
    await tellStatuses({ ...delivered, timestamp: String(now() + 100) })
    await gateway.simulator.postNotice(notice(change({ statuses: [status(wamid, 'read')] })), { times: 8 })
    await gateway.noticesWorked()
    await events.of(id, 'message.read')
    expect((await get(id)).delivered_at).toBe(first)
    expect(events.kindsOf(id)).toEqual(['message.sent', 'message.delivered', 'message.read'])
  })

  test('failed: the code, and upstream’s details as the words', async () => {
    const { id, wamid } = await sentMessage()
    const errors = [{ code: 131049, title: 'a title', message: 'a message', error_data: { details: 'the details' } }]
    await tellStatuses(status(wamid, 'failed', { errors }))
    expect(await get(id)).toMatchObject({ status: 'failed', error: { code: 131049, message: 'the details' } })
    await events.of(id, 'message.failed')
  })

  test('failed without details: upstream’s message', async () => {
    const { id, wamid } = await sentMessage()
    await tellStatuses(status(wamid, 'failed', { errors: [{ code: 131000, title: 'a title', message: 'a message' }] }))
    expect((await get(id)).error).toEqual({ code: 131000, message: 'a message' })
  })

  test('failed after delivered is passed over', async () => {
    const { id, wamid } = await sentMessage()
    await tellStatuses(status(wamid, 'delivered'))
    await tellStatuses(status(wamid, 'failed', { errors: [{ code: 131026, title: 'x' }] }))
    expect(await get(id)).toMatchObject({ status: 'delivered', error: null })
    expect(events.kindsOf(id)).not.toContain('message.failed')
  })

  test('delivered or read after failed lifts the failure', async () => {
    const { id, wamid } = await sentMessage()
    await tellStatuses(status(wamid, 'failed', { errors: [{ code: 131026, title: 'x' }] }))
    await tellStatuses(status(wamid, 'sent'))
    expect((await get(id)).status).toBe('failed')
    await tellStatuses(status(wamid, 'delivered'))
    expect(await get(id)).toMatchObject({ status: 'delivered', error: null })
  })

  test('played and kinds to come change nothing', async () => {
    const { id, wamid } = await sentMessage()
    await tellStatuses(status(wamid, 'played'), status(wamid, 'pondered'))
    expect((await get(id)).status).toBe('sent')
  })

  // rule: receive 6, states 7
  test.each<[what: string, pricing: object | undefined, shown: object | null]>([
    [
      'as it says',
      { billable: true, pricing_model: 'PMP', type: 'regular', category: 'marketing' },
      { category: 'marketing', billable: true },
    ],
    [
      'billable by its type where that is missing',
      { pricing_model: 'PMP', type: 'regular', category: 'utility' },
      { category: 'utility', billable: true },
    ],
    ['free by its type', { type: 'free_customer_service', category: 'service' }, { category: 'service', billable: false }],
    ['null where nothing is said', undefined, null],
  ])('pricing is shown %s', async (_what, pricing, shown) => {
    const { id, wamid } = await sentMessage()
    await tellStatuses(status(wamid, 'sent', pricing === undefined ? {} : { pricing }))
    await tellStatuses(status(wamid, 'delivered'))
    expect((await get(id)).pricing).toEqual(shown)
  })

  // rule: receive 8
  test('of a wamid that we do not know are kept, told to nobody, and stop nobody', async () => {
    const { id, wamid } = await sentMessage()
    const strange = newWamid()
    const before = events.all.length
    await tellStatuses(status(strange, 'delivered'), status(wamid, 'read'), status(strange, 'read'))
    await events.of(id, 'message.read')
    expect(await countOf(`select count(*)::integer as count from parked_status where wamid = '${strange}'`)).toBe(2)
    expect(events.all.slice(before).map((event) => event.data.id)).toEqual([id])
  })

  test('that come before the answer and name only the wamid count once the message is known', async () => {
    const person = gateway.newPerson()
    await gateway.letWrite(account, person)
    const taken = gateway.simulator.accepted.length + 1
    gateway.simulator.addFaults({ match: { to: person }, fault: { kind: 'slow', delayMs: 2_000 } })
    const { body } = await gateway.call('POST', '/v1/messages', { key: account.live, body: textTo(person) })
    await gateway.simulator.waitForAccepted(taken)
    const wamid = gateway.simulator.accepted.at(-1)?.wamid ?? ''
    await tellStatuses(status(wamid, 'delivered'))
    expect(await get(body.id)).toMatchObject({ status: 'queued', wamid: null, delivered_at: null })
    await events.of(body.id, 'message.delivered')
    expect(events.kindsOf(body.id)).toEqual(['message.sent', 'message.delivered'])
  })

  test('sent, before the answer and with our id: the price is kept, and to callers the message is still queued', async () => {
    const person = gateway.newPerson()
    await gateway.letWrite(account, person)
    const taken = gateway.simulator.accepted.length + 1
    gateway.simulator.addFaults({ match: { to: person }, fault: { kind: 'slow', delayMs: 2_000 } })
    const { body } = await gateway.call('POST', '/v1/messages', { key: account.live, body: textTo(person) })
    await gateway.simulator.waitForAccepted(taken)
    const { wamid, opaque } = gateway.simulator.accepted.at(-1) ?? {}
    const pricing = { billable: true, category: 'utility' }
    await tellStatuses(status(wamid ?? '', 'sent', { biz_opaque_callback_data: opaque, pricing }))
    expect(await get(body.id)).toMatchObject({ status: 'queued', wamid: null, sent_at: null, pricing })
    expect((await events.of(body.id, 'message.sent')).data).toMatchObject({ status: 'sent', wamid, pricing })
  })

  test('of another account’s message, on our own number, change nothing of it', async () => {
    const { id, wamid } = await sentMessage()
    const other = await gateway.account()
    await tell(notice(change({ statuses: [status(wamid, 'read', { biz_opaque_callback_data: `${id}.1` })] }, other.channel.phoneNumberId)))
    expect((await get(id)).status).toBe('sent')
  })
})

describe('a text that a person sends', () => {
  test('becomes a received message and one event, with the original in meta', async () => {
    const from = gateway.newPerson()
    const wamid = newWamid()
    const value = inbound(from, wamid, { extra: 12345678901 })
    await tell(notice(change(value)))
    const { data, livemode } = await received(wamid)
    expect(livemode).toBe(true)
    expect(data).toMatchObject({
      id: expect.stringMatching(ids.msg),
      object: 'message',
      direction: 'inbound',
      channel_id: account.channel.id,
      contact: { phone: from, name: 'Maria' },
      type: 'text',
      status: 'received',
      text: 'Oi!',
      media: null,
      reply_to: null,
      client_reference: null,
      source: 'chat',
      wamid,
      pricing: null,
      error: null,
      sent_at: null,
    })
    // Its own object and its contact, and nothing else.
    expect(data.meta).toEqual({ ...value.messages[0], contact: value.contacts[0] })
    expect(await get(data.id)).toEqual(data)
  })

  // rule: requests 3
  test('keeps integers beyond 2^53 in meta digit for digit, in the event and in the answer', async () => {
    const from = gateway.newPerson()
    const wamid = newWamid()
    const body = JSON.stringify(notice(change(inbound(from, wamid, { big: 'BIG' })))).replace('"BIG"', '12345678901234567890')
    await tell(body)
    const event = await received(wamid)
    expect(event.raw).toContain('"big":12345678901234567890')
    const { text } = await gateway.call('GET', `/v1/messages/${event.data.id}`, { key: account.live })
    expect(text).toContain('"big":12345678901234567890')
  })

  // rule: receive 5
  test('holds only what is this account’s, in a notice of several accounts', async () => {
    const other = await gateway.account()
    const [mine, theirs] = [newWamid(), newWamid()]
    await tell(notice(change(inbound('5511900000010', theirs), other.channel.phoneNumberId), change(inbound('5511900000011', mine))))
    const event = await received(mine)
    expect(event.raw).not.toMatch(new RegExp(`${theirs}"|5511900000010|${other.channel.phoneNumberId}`))
    expect(events.all.some((each) => each.data.wamid === theirs)).toBe(false)
  })

  // rule: receive 2
  test('twice with the same wamid is one message and one event', async () => {
    const from = gateway.newPerson()
    const wamid = newWamid()
    const body = notice(change(inbound(from, wamid)), change(inbound(from, wamid)))
    await gateway.simulator.postNotice(body, { times: 6 })
    await gateway.noticesWorked()
    await received(wamid)
    const marker = newWamid()
    await tell(notice(change(inbound(from, marker))))
    await received(marker)
    expect(events.all.filter((event) => event.data.wamid === wamid)).toHaveLength(1)
    const list = await gateway.call('GET', '/v1/messages', { key: account.live, query: { phone: from } })
    expect(list.body.data.map((each: { wamid: string }) => each.wamid)).toEqual([marker, wamid])
  })

  test('that quotes a message of ours shows our id of it', async () => {
    const { id, wamid } = await sentMessage()
    const reply = newWamid()
    await tell(notice(change(inbound('5511900000012', reply, { context: { from: account.channel.displayDigits, id: wamid } }))))
    expect((await received(reply)).data.reply_to).toBe(id)
  })

  test('with a NUL and half a surrogate pair is kept with U+FFFD in their place', async () => {
    const wamid = newWamid()
    const body = JSON.stringify(notice(change(inbound('5511900000013', wamid, { text: { body: 'BODY' } })))).replace(
      'BODY',
      'a\\u0000b\\ud83d',
    )
    await tell(body, { escape: false })
    expect((await received(wamid)).data.text).toBe('a\ufffdb\ufffd')
  })

  // rule: people 1, people 2
  test('in old and new spelling of a Brazilian number is one person', async () => {
    const [old, fresh] = [newWamid(), newWamid()]
    await tell(notice(change(inbound('551188887777', old))))
    await tell(notice(change(inbound('5511988887777', fresh))))
    const contacts = [(await received(old)).data.contact, (await received(fresh)).data.contact]
    expect(contacts.map((each) => each.phone)).toEqual(['5511988887777', '5511988887777'])
  })

  // rule: receive 3
  test('is created when we took it in, whatever upstream’s time says', async () => {
    const wamid = newWamid()
    const began = new Date().toISOString()
    await tell(notice(change(inbound('5511900000014', wamid, { timestamp: String(now() - 3600) }))))
    expect((await received(wamid)).data.created_at >= began).toBe(true)
  })
})

test('a person without a phone is known by the user id alone, and can be answered', async () => {
  const userId = 'BR.77770000911557'
  const wamid = newWamid()
  const contacts = [{ user_id: userId, profile: { name: 'Maria' } }]
  const messages = [{ from_user_id: userId, id: wamid, timestamp: String(now()), type: 'text', text: { body: 'Oi!' } }]
  await tell(notice(change({ contacts, messages })))
  const { data } = await received(wamid)
  expect(data.contact).toEqual({ phone: '', name: 'Maria', user_id: userId })
  const { status: code, body } = await gateway.call('POST', '/v1/messages', { key: account.live, body: textTo(userId) })
  expect([code, body.contact]).toEqual([202, data.contact])
  await events.of(body.id, 'message.sent')
  const taken = gateway.simulator.accepted.find((each) => each.opaque?.startsWith(`${body.id}.`))
  expect(taken?.body).toMatchObject({ recipient: userId })
  expect(taken?.body).not.toHaveProperty('to')
  const list = await gateway.call('GET', '/v1/messages', { key: account.live, query: { phone: userId } })
  expect(list.body.data.map((each: { id: string }) => each.id)).toEqual([body.id, data.id])
})

test('a notice of 3 MB with many statuses is taken', async () => {
  const { id, wamid } = await sentMessage()
  const filler = 'x'.repeat(2_900_000)
  await tell(notice(change({ statuses: [status(wamid, 'delivered', { filler })] })))
  expect((await get(id)).status).toBe('delivered')
})
