import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestAccount } from '../support/accounts.ts'
import type { Answer } from '../support/caller.ts'
import type { TestEvents } from '../support/events.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'

const templates = [
  { name: 'pedido_enviado', language: 'pt_BR', bodyParameters: 2 },
  { name: 'aviso', language: 'pt_BR' },
]

let gateway: TestGateway
let account: TestAccount
let events: TestEvents
beforeAll(async () => {
  gateway = await startTestGateway({ simulator: { templates } })
  account = await gateway.account()
  events = await gateway.events(account)
})
afterAll(() => gateway.close())

const to = '5511987654321'
const send = (body: unknown, key = account.test) => gateway.call('POST', '/v1/messages', { key, body })
const fieldsOf = ({ body }: Answer) => (body.error?.details ?? []).map((each: { field?: string }) => each.field)

const link = 'https://loja.example/arquivo.bin'
const card = { name: { formatted_name: 'Ana Lima', first_name: 'Ana' }, phones: [{ phone: '+55 11 98765-4321', type: 'CELL' }] }
const buttons = { buttons: [{ type: 'reply', reply: { id: 'sim', title: 'Sim' } }] }
const parameters = [
  { type: 'text', text: 'Maria' },
  { type: 'text', text: '4711' },
]
const filled = { name: 'pedido_enviado', language: 'pt_BR', components: [{ type: 'body', parameters }] }
const outside = { url: link, mime_type: null, file_name: null, size_bytes: null }

type Case = [kind: string, content: unknown, shown: { type: string; text: string | null; media: object | null }, upstream?: unknown]

const kinds: Case[] = [
  ['image', { link, caption: 'A vitrine' }, { type: 'image', text: 'A vitrine', media: outside }],
  ['image', { link }, { type: 'image', text: null, media: outside }],
  ['image', { id: '1037543291543636', caption: 'A vitrine' }, { type: 'image', text: 'A vitrine', media: null }],
  ['audio', { link, voice: true }, { type: 'audio', text: null, media: outside }],
  ['video', { link, caption: 'O forno' }, { type: 'video', text: 'O forno', media: outside }],
  ['document', { link, filename: 'Nota 4711.pdf', caption: 'Sua nota' }, { type: 'document', text: 'Sua nota', media: outside }],
  ['sticker', { link }, { type: 'sticker', text: null, media: outside }],
  ['location', { latitude: -23.5614, longitude: -46.6559 }, { type: 'location', text: '-23.5614, -46.6559', media: null }],
  [
    'location',
    { latitude: -23.5, longitude: -46.5, name: 'Padaria Aurora', address: 'Av. Paulista, 1578' },
    { type: 'location', text: 'Padaria Aurora, Av. Paulista, 1578 (-23.5, -46.5)', media: null },
  ],
  [
    'contacts',
    [card, { name: { formatted_name: 'Bia', last_name: 'Souza' } }],
    { type: 'contact', text: 'Ana Lima (+55 11 98765-4321); Bia', media: null },
  ],
  ['interactive', { type: 'button', body: { text: 'Confirma?' }, action: buttons }, { type: 'text', text: 'Confirma?', media: null }],
  [
    'template',
    filled,
    { type: 'template', text: 'pedido_enviado (pt_BR): Maria, 4711', media: null },
    { ...filled, language: { code: 'pt_BR' } },
  ],
  [
    'template',
    { name: 'aviso', language: { code: 'pt_BR', policy: 'deterministic' } },
    { type: 'template', text: 'aviso (pt_BR)', media: null },
  ],
]

describe('a send of each kind', () => {
  test.each(kinds)('%s is accepted and shown: %j', async (kind, content, shown) => {
    const { status, body } = await send({ to, type: kind, [kind]: content })
    expect([status, body.status]).toEqual([202, 'queued'])
    expect({ type: body.type, text: body.text, media: body.media }).toEqual(shown)
  })

  test.each(kinds.filter(([, content]) => !Object.hasOwn(content as object, 'id')))(
    '%s reaches upstream as it was written: %j',
    async (kind, content, _shown, upstream = content) => {
      const person = gateway.newPerson()
      await gateway.letWrite(account, person)
      const { body } = await send({ to: person, type: kind, [kind]: content, beside: { of: ['them'] } }, account.live)
      await events.of(body.id, 'message.sent')
      const [taken] = gateway.simulator.accepted.filter((each) => each.opaque?.startsWith(`${body.id}.`))
      expect(taken?.body).toEqual({
        messaging_product: 'whatsapp',
        recipient_type: 'individual',
        to: `+${person}`,
        type: kind,
        [kind]: upstream,
        beside: { of: ['them'] },
        biz_opaque_callback_data: taken?.opaque,
      })
    },
  )
})

// rule: send 8, requests 3
test('what upstream may know and the gateway does not goes through inside every kind, digit for digit', async () => {
  const person = gateway.newPerson()
  await gateway.letWrite(account, person)
  const body = `{"to":"${person}","type":"location","location":{"latitude":1.50,"longitude":-2,"new":12345678901234567890}}`
  const answer = await send(body, account.live)
  await events.of(answer.body.id, 'message.sent')
  const [taken] = gateway.simulator.accepted.filter((each) => each.opaque?.startsWith(`${answer.body.id}.`))
  expect(taken?.raw).toContain('"new":12345678901234567890')
})

// rule: requests 6
test.each([
  ['location.latitude', '{"latitude":1e400,"longitude":1}'],
  ['location.accuracy', '{"latitude":1,"longitude":1,"accuracy":-1e400}'],
  ['location.more[1].n', '{"latitude":1,"longitude":1,"more":[0,{"n":1e-400}]}'],
])('400 at %s for a number that no program can hold: %s', async (field, location) => {
  const { status, body } = await send(`{"to":"${to}","type":"location","location":${location}}`, account.live)
  expect([status, body.error.code, body.error.details[0].field]).toEqual([400, 'invalid_request', field])
})

describe('400 invalid_request names', () => {
  const wrong: [field: string, when: string, kind: string, content: unknown][] = [
    ['image', 'is missing', 'image', undefined],
    ['image.link', 'is not there and neither is id', 'image', {}],
    ['image.id', 'stands beside link', 'image', { link, id: '1' }],
    ['image.link', 'is plain http', 'image', { link: 'http://loja.example/a.jpg' }],
    ['image.link', 'is no URL', 'image', { link: 'a.jpg' }],
    ['image.link', 'is of another scheme', 'image', { link: 'ftp://loja.example/a.jpg' }],
    ['image.link', 'holds a password', 'image', { link: 'https://ana:senha@loja.example/a.jpg' }],
    // rule: send 15
    ['image.link', 'begins with a blank', 'image', { link: ' https://example.com/x.jpg' }],
    ['image.link', 'ends with a line end', 'image', { link: 'https://example.com/x.jpg\n' }],
    ['image.link', 'has no host', 'image', { link: 'https:///x.jpg' }],
    ['image.link', 'has backslashes', 'image', { link: 'https:\\\\example.com\\x.jpg' }],
    ['image.link', 'still has a place to be filled', 'image', { link: 'https://example.com/{{1}}' }],
    ['video.link', 'has a lone %', 'video', { link: 'https://example.com/100%.mp4' }],
    ['audio.link', 'has a letter with an accent', 'audio', { link: 'https://example.com/são.ogg' }],
    ['sticker.link', 'has quotes', 'sticker', { link: 'https://example.com/"a".webp' }],
    [
      'document.link',
      'has a blank in its query',
      'document',
      { link: 'https://erp.example.com/print?doctype=Payment Entry&name=PE-43', filename: 'r.pdf' },
    ],
    ['image.link', 'is empty', 'image', { link: '' }],
    ['image.link', 'is 2049 characters', 'image', { link: `https://loja.example/${'x'.repeat(2049 - 21)}` }],
    ['image.link', 'is a number', 'image', { link: 5 }],
    ['image.id', 'is a number', 'image', { id: 5 }],
    ['image.caption', 'is 1025 characters', 'image', { link, caption: 'x'.repeat(1025) }],
    ['video.caption', 'is 1025 characters', 'video', { link, caption: 'x'.repeat(1025) }],
    ['document.caption', 'is 1025 characters', 'document', { link, caption: 'x'.repeat(1025) }],
    ['document.filename', 'is 241 characters', 'document', { link, filename: 'x'.repeat(241) }],
    ['audio.voice', 'is a text', 'audio', { link, voice: 'yes' }],
    ['audio.link', 'is not there and neither is id', 'audio', { voice: true }],
    ['sticker', 'is a list', 'sticker', [{ link }]],
    ['location.latitude', 'is missing', 'location', { longitude: 1 }],
    ['location.longitude', 'is missing', 'location', { latitude: 1 }],
    ['location.latitude', 'is a text', 'location', { latitude: '1', longitude: 1 }],
    ['location.latitude', 'is beyond the pole', 'location', { latitude: 90.1, longitude: 1 }],
    ['location.longitude', 'is beyond the date line', 'location', { latitude: 1, longitude: -180.1 }],
    ['location.name', 'is a number', 'location', { latitude: 1, longitude: 1, name: 5 }],
    ['contacts', 'is empty', 'contacts', []],
    ['contacts', 'has 51 cards', 'contacts', Array.from({ length: 51 }, () => card)],
    ['contacts', 'is one card and no list', 'contacts', card],
    ['contacts[1].name', 'is missing', 'contacts', [card, { phones: [] }]],
    ['contacts[2].name.formatted_name', 'is missing', 'contacts', [card, card, { name: {} }]],
    ['interactive.type', 'is missing', 'interactive', { action: buttons }],
    ['interactive.type', 'is empty', 'interactive', { type: '', action: buttons }],
    ['interactive.action', 'is a list', 'interactive', { type: 'button', action: [] }],
    ['template.name', 'is missing', 'template', { language: 'pt_BR' }],
    ['template.name', 'is empty', 'template', { name: '', language: 'pt_BR' }],
    ['template.language', 'is missing', 'template', { name: 'a' }],
    ['template.language.code', 'is missing', 'template', { name: 'a', language: {} }],
    ['template.components', 'has 21 entries', 'template', { ...filled, components: Array.from({ length: 21 }, () => ({})) }],
    ['template.components[1]', 'is a text', 'template', { ...filled, components: [{}, 'body'] }],
    ['reaction.message_id', 'is missing', 'reaction', { emoji: '👍' }],
    ['reaction.message_id', 'is neither an id nor a wamid', 'reaction', { message_id: 'x', emoji: '👍' }],
    ['reaction.emoji', 'is missing', 'reaction', { message_id: 'wamid.X' }],
    ['reaction.emoji', 'is null', 'reaction', { message_id: 'wamid.X', emoji: null }],
  ]
  test.each(wrong)('%s when it %s', async (field, _when, kind, content) => {
    const answer = await send({ to, type: kind, ...(content === undefined ? {} : { [kind]: content }) })
    expect([answer.status, answer.body.error?.code]).toEqual([400, 'invalid_request'])
    expect(fieldsOf(answer)).toEqual([field])
  })
})

test.each([
  ['a caption of 1024 characters', 'image', { link, caption: 'x'.repeat(1024) }],
  ['a link of 2048 characters', 'image', { link: `https://loja.example/${'x'.repeat(2048 - 21)}` }],
  ['a filename of 240 characters', 'document', { link, filename: 'x'.repeat(240) }],
  ['50 contact cards', 'contacts', Array.from({ length: 50 }, () => card)],
  ['20 components', 'template', { ...filled, components: Array.from({ length: 20 }, () => ({ type: 'button' })) }],
])('%s is accepted', async (_what, kind, content) => {
  expect((await send({ to, type: kind, [kind]: content })).status).toBe(202)
})

// rule: send 3
test('outside the window a template leaves, and every other kind is refused at once', async () => {
  const person = gateway.newPerson()
  for (const [kind, content] of kinds) {
    const { status, body } = await send({ to: person, type: kind, [kind]: content }, account.live)
    if (kind === 'template') expect(status).toBe(202)
    else expect([status, body.error.code]).toEqual([422, 'outside_customer_service_window'])
  }
})

test('every kind may quote a message and carry a reference, which comes back in its events', async () => {
  const person = gateway.newPerson()
  const quoted = await gateway.letWrite(account, person)
  for (const [kind, content] of kinds.filter(([, content]) => !Object.hasOwn(content as object, 'id'))) {
    const { body } = await send(
      { to: person, type: kind, [kind]: content, reply_to: quoted, client_reference: `order of ${kind}` },
      account.live,
    )
    const sent = await events.of(body.id, 'message.sent')
    expect(sent.data).toMatchObject({ client_reference: `order of ${kind}`, reply_to: body.reply_to, type: body.type })
    expect(body.reply_to).toMatch(/^msg_/)
    const [taken] = gateway.simulator.accepted.filter((each) => each.opaque?.startsWith(`${body.id}.`))
    expect(taken?.body).toMatchObject({ context: { message_id: quoted } })
  }
})
