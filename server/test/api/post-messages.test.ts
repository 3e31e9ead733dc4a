import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestAccount } from '../support/accounts.ts'
import type { Answer } from '../support/caller.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { ids, moment, textTo } from '../support/texts.ts'

let gateway: TestGateway
let account: TestAccount
beforeAll(async () => {
  gateway = await startTestGateway()
  account = await gateway.account()
})
afterAll(() => gateway.close())

/** With a test key the window is open for everybody, so that only the form of a body decides. */
const send = (body: unknown, headers: Record<string, string> = {}) =>
  gateway.call('POST', '/v1/messages', { key: account.test, body, headers })
const fieldsOf = ({ body }: Answer) => (body.error.details ?? []).map((each: { field?: string }) => each.field)

describe('202', () => {
  test('the answer is the whole message, queued, with null where nothing is known yet', async () => {
    const person = gateway.newPerson()
    const { status, body, headers } = await send(textTo(`+${person}`, 'Olá 👋', { client_reference: 'order-4711' }))
    expect(status).toBe(202)
    expect(body).toEqual({
      id: expect.stringMatching(ids.msg),
      object: 'message',
      direction: 'outbound',
      channel_id: account.channel.id,
      contact: { phone: person, name: null },
      type: 'text',
      status: 'queued',
      text: 'Olá 👋',
      media: null,
      reply_to: null,
      button_reply_id: null,
      client_reference: 'order-4711',
      source: 'api',
      wamid: null,
      pricing: null,
      error: null,
      created_at: expect.stringMatching(moment),
      sent_at: null,
      delivered_at: null,
      read_at: null,
    })
    expect(headers['content-type']).toBe('application/json; charset=utf-8')
    expect(headers['idempotent-replayed']).toBeUndefined()
  })

  test('a live send in an open window is answered alike, and says livemode true in its events', async () => {
    const events = await gateway.events(account)
    const person = gateway.newPerson()
    await gateway.letWrite(account, person)
    const { status, body } = await gateway.call('POST', '/v1/messages', { key: account.live, body: textTo(person) })
    expect([status, body.status, body.wamid]).toEqual([202, 'queued', null])
    const told = await events.of(body.id, 'message.read')
    expect(told).toMatchObject({ object: 'event', api_version: 'v1', livemode: true, data: { id: body.id, status: 'read' } })
    expect(told.id).toMatch(ids.evt)
    expect(told.created_at).toMatch(moment)
  })

  // rule: people 1
  test.each([
    ['a plus, spaces and a hyphen', '+55 11 98765-4321', '5511987654321'],
    ['digits only', '5511987654321', '5511987654321'],
    ['brackets', '+55 (11) [98765] 4321', '5511987654321'],
    ['no-break spaces', '+55\u00a011\u00a098765\u00a04321', '5511987654321'],
    ['thin spaces, a tab and typographic hyphens', '+55\u200911\t98765\u20114321', '5511987654321'],
    ['blanks around it', '  5511987654321 ', '5511987654321'],
    ['ten digits', '4721234567', '4721234567'],
    ['fifteen digits', '+123456789012345', '123456789012345'],
    ['a Brazilian mobile without the ninth digit', '551187654321', '5511987654321'],
    ['a Brazilian landline, which stays', '551133334444', '551133334444'],
    ['a Mexican number with the old 1', '+52 1 55 1234 5678', '525512345678'],
    ['an Argentinian number without the 9', '+54 11 1234-5678', '5491112345678'],
  ])('a phone with %s is understood and shown in one form', async (_how, to, shown) => {
    const { status, body } = await send(textTo(to))
    expect([status, body.contact?.phone]).toEqual([202, shown])
  })

  test.each([
    ['a text of 4096 characters', textTo('5511987654321', 'x'.repeat(4096))],
    ['a client_reference of 512 characters', textTo('5511987654321', 'Oi', { client_reference: 'r'.repeat(512) })],
    ['an empty client_reference', textTo('5511987654321', 'Oi', { client_reference: '' })],
    ['a contact_name of 120 characters', textTo('5511987654321', 'Oi', { contact_name: 'n'.repeat(120) })],
    ['preview_url', { ...textTo('5511987654321'), text: { body: 'https://example.com', preview_url: true } }],
    ['a field that the gateway does not know', textTo('5511987654321', 'Oi', { something_new: { deep: [1, 2] } })],
    ['a body of exactly 256 KB', Buffer.from(JSON.stringify(textTo('5511987654321')).padEnd(256 * 1024, ' '))],
    ['a byte-order mark', Buffer.from(`\ufeff${JSON.stringify(textTo('5511987654321'))}`)],
    ['an escaped emoji', '{"to":"5511987654321","type":"text","text":{"body":"\\ud83d\\udc4b"}}'],
  ])('%s is accepted', async (_what, body) => {
    expect((await send(body)).status).toBe(202)
  })

  test('the content type may carry a charset', async () => {
    expect((await send(textTo('5511987654321'), { 'content-type': 'application/json; charset=UTF-8' })).status).toBe(202)
  })
})

// rule: requests 1, requests 2, send 8
describe('400 invalid_request names', () => {
  const text = textTo('5511987654321')
  const without = (field: string) => Object.fromEntries(Object.entries(text).filter(([name]) => name !== field))
  test.each<[field: string, when: string, body: unknown]>([
    ['text.body', 'is 4097 characters', textTo('5511987654321', 'x'.repeat(4097))],
    ['text.body', 'is 5000 characters', textTo('5511987654321', 'x'.repeat(5000))],
    ['text.body', 'is empty', textTo('5511987654321', '')],
    ['text.body', 'is missing', { ...text, text: {} }],
    ['text.body', 'is a number', { ...text, text: { body: 5 } }],
    ['text.body', 'is null', { ...text, text: { body: null } }],
    ['text', 'is missing', without('text')],
    ['text', 'is null', { ...text, text: null }],
    ['text', 'is a string', { ...text, text: 'Oi!' }],
    ['text', 'is a list', { ...text, text: ['Oi!'] }],
    ['text.preview_url', 'is a text', { ...text, text: { body: 'Oi', preview_url: 'true' } }],
    ['to', 'is missing', without('to')],
    ['to', 'is a number', { ...text, to: 5511987654321 }],
    ['to', 'is null', { ...text, to: null }],
    ['to', 'is a list', { ...text, to: ['5511987654321'] }],
    ['type', 'is missing', without('type')],
    ['type', 'is not a kind', { ...text, type: 'pigeon' }],
    ['type', 'is a number', { ...text, type: 1 }],
    ['channel_id', 'is a number', { ...text, channel_id: 1 }],
    ['channel_id', 'is malformed', { ...text, channel_id: 'ch_1' }],
    ['channel_id', 'is an id of another kind', { ...text, channel_id: 'msg_019ac8f0a1b27c3d8e4f5a6b7c8d9e0f' }],
    ['reply_to', 'is empty', { ...text, reply_to: '' }],
    ['reply_to', 'is neither an id nor a wamid', { ...text, reply_to: 'the last one' }],
    ['reply_to', 'is an id of another kind', { ...text, reply_to: 'ch_019ac8f0a1b27c3d8e4f5a6b7c8d9e0f' }],
    ['reply_to', 'is a number', { ...text, reply_to: 7 }],
    ['client_reference', 'is 513 characters', { ...text, client_reference: 'r'.repeat(513) }],
    ['client_reference', 'is a number', { ...text, client_reference: 4711 }],
    ['contact_name', 'is 121 characters', { ...text, contact_name: 'n'.repeat(121) }],
    ['contact_name', 'is null', { ...text, contact_name: null }],
    ['messaging_product', 'is given', { ...text, messaging_product: 'whatsapp' }],
    ['recipient', 'is given', { ...text, recipient: 'BR.123' }],
    ['recipient_type', 'is given', { ...text, recipient_type: 'individual' }],
    ['context', 'is given', { ...text, context: { message_id: 'wamid.1' } }],
    ['status', 'is given', { ...text, status: 'read' }],
    ['biz_opaque_callback_data', 'is given', { ...text, biz_opaque_callback_data: 'mine' }],
    ['text.body', 'holds a NUL', '{"to":"5511987654321","type":"text","text":{"body":"a\\u0000b"}}'],
    ['text.body', 'holds the first half of a surrogate pair', '{"to":"5511987654321","type":"text","text":{"body":"a\\ud83d"}}'],
    ['text.body', 'holds the second half of a surrogate pair', '{"to":"5511987654321","type":"text","text":{"body":"\\udc4b!"}}'],
    ['client_reference', 'holds a NUL', { ...text, client_reference: 'a\0b' }],
    ['to', 'holds a NUL', { ...text, to: '5511987654321\0' }],
    ['text.new[1].field', 'holds a NUL inside a field that is passed on', { ...text, text: { body: 'Oi', new: [1, { field: '\0' }] } }],
  ])('%s when it %s', async (field, _when, body) => {
    const answer = await send(body)
    expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_request'])
    expect(fieldsOf(answer)).toEqual([field])
  })

  test.each([
    ['empty', ''],
    ['a blank', ' '],
    ['only a plus', '+'],
    ['nine digits', '123456789'],
    ['sixteen digits', '1234567890123456'],
    ['a leading zero', '0551198765432'],
    ['a leading zero behind the plus', '+0551198765432'],
    ['two pluses', '++5511987654321'],
    ['a plus inside', '55+11987654321'],
    ['letters', '55119876x4321'],
    ['an extension', '5511987654321;ext=1'],
    ['a scheme', 'tel:+5511987654321'],
    ['dots', '55.11.98765.4321'],
    ['a slash', '5511/987654321'],
    ['full-width digits', '５５１１９８７６５４３２１'],
    ['Arabic digits', '٥٥١١٩٨٧٦٥٤٣٢١'],
    ['words', 'Maria'],
    ['an address of mail', 'maria@example.com'],
    ['more than one number', '5511987654321, 5511987654322'],
    ['140 blanks', ' '.repeat(140)],
    ['200 characters', '5511987654321'.padStart(200, ' ')],
  ])('to when the phone is %s', async (_what, to) => {
    const answer = await send(textTo(to))
    expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_request'])
    expect(fieldsOf(answer)).toEqual(['to'])
  })

  test.each<[when: string, key: string]>([
    ['is empty', ''],
    ['has 256 characters', 'k'.repeat(256)],
    ['is not ASCII', 'pedido-ã'],
    ['holds a tab', 'a\tb'],
  ])('Idempotency-Key when it %s', async (_when, key) => {
    const answer = await send(text, { 'idempotency-key': key })
    expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_request'])
    expect(fieldsOf(answer).map((field: string) => field.toLowerCase())).toEqual(['idempotency-key'])
  })

  test('every wrong field, when there are several', async () => {
    const answer = await send({ to: 5, type: 'text', text: { body: '' }, contact_name: 1 })
    expect(answer.status).toBe(400)
    expect(fieldsOf(answer).toSorted()).toEqual(['contact_name', 'text.body', 'to'])
  })
})

describe('400 invalid_request', () => {
  test.each<[what: string, body: unknown, headers: Record<string, string>]>([
    ['JSON that breaks off', '{"to":"5511987654321"', {}],
    ['no JSON at all', 'to=5511987654321', {}],
    ['two JSON values', '{} {}', {}],
    ['a list', [textTo('5511987654321')], {}],
    ['a text', '"Oi"', {}],
    ['null', 'null', {}],
    ['an empty body', '', {}],
    ['a body of 256 KB and one byte', JSON.stringify(textTo('5511987654321')).padEnd(256 * 1024 + 1, ' '), {}],
    ['a body of 300 KB', textTo('5511987654321', 'x'.repeat(300 * 1024)), {}],
    ['text/plain', JSON.stringify(textTo('5511987654321')), { 'content-type': 'text/plain' }],
    ['a form', 'to=5511987654321', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['a compressed body', JSON.stringify(textTo('5511987654321')), { 'content-encoding': 'gzip' }],
    ['broken UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), {}],
    ['a key named __proto__', '{"to":"5511987654321","type":"text","text":{"body":"Oi"},"__proto__":{"a":1}}', {}],
    ['a NUL in the name of a field', { ...textTo('5511987654321'), 'a\0': 1 }, {}],
    ['a thousand lists in each other', `{"to":"5511987654321","type":"text","x":${'['.repeat(1000)}${']'.repeat(1000)}}`, {}],
  ])('for %s', async (_what, body, headers) => {
    const { status, body: said } = await send(body, headers)
    expect([status, said.error.code]).toEqual([400, 'invalid_request'])
  })

  test('for a query that the operation does not have, and it is named', async () => {
    const answer = await gateway.call('POST', '/v1/messages', { key: account.test, body: textTo('5511987654321'), query: { dry_run: 1 } })
    expect([answer.status, fieldsOf(answer)]).toEqual([400, ['dry_run']])
  })

  test('the words of the error never repeat what was sent', async () => {
    const { text } = await send('{"to":"5511987654321","type":"text","text":{"body":"a secret of mine"')
    expect(text).not.toContain('secret of mine')
  })
})

test('nothing that was refused became a message', async () => {
  const lonely = await gateway.account()
  await gateway.call('POST', '/v1/messages', { key: lonely.test, body: textTo('5511987654321', '') })
  await gateway.call('POST', '/v1/messages', { key: lonely.live, body: textTo('5511987654321') })
  const { body } = await gateway.call('GET', '/v1/messages', { key: lonely.test })
  expect(body.data).toEqual([])
})
