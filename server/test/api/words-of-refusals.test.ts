import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestAccount } from '../support/accounts.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'

let gateway: TestGateway
let account: TestAccount
beforeAll(async () => {
  gateway = await startTestGateway()
  account = await gateway.account()
})
afterAll(() => gateway.close())

const post = (path: string, body: unknown, key = account.test) => gateway.call('POST', path, { key, body })
const text = { type: 'text', text: { body: 'Olá!' } }

describe('the words of a refusal', () => {
  test('400: an unknown type is named, with the types that there are', async () => {
    const { status, body } = await post('/v1/messages', { to: '5511987654321', type: 'txt' })
    const kinds = 'text, image, audio, video, document, sticker, location, contacts, interactive, template, reaction'
    expect([status, body.error.details]).toEqual([400, [{ field: 'type', message: `must be one of ${kinds}; "txt" is not` }]])
  })

  test('400: a wrong kind of event is named among the right ones', async () => {
    const url = 'https://erp.example/eventos'
    const { body } = await post('/v1/webhooks', { url, events: ['message.sent', 'message.recieved'] }, account.live)
    expect(body.error.details[0].field).toBe('events[1]')
    expect(body.error.message).toContain('; "message.recieved" is not')
  })

  test('400: what may be a phone or a key is not repeated where a word of a choice is expected', async () => {
    for (const wrong of ['5511987654321', account.live, 'Oi, tudo bem?']) {
      const { body } = await post('/v1/webhooks', { url: 'https://erp.example', events: [wrong] }, account.live)
      expect(JSON.stringify(body)).not.toContain(wrong)
    }
  })

  test.each([
    ['POST', '/v1/webhooks', { url: 'erp', events: ['*'] }, 'url is not a valid URL.'],
    ['GET', '/v1/messages?since=ontem', undefined, 'since: This must be'],
    ['GET', '/v1/messages?starting_after=msg_0', undefined, 'starting_after must be an id of this list: msg_ and 32 hex characters'],
  ] as const)('400: the message names its field, %s %s', async (method, path, asked, words) => {
    const { status, body } = await gateway.call(method, path, { key: account.live, body: asked })
    expect([status, body.error.message]).toEqual([400, expect.stringContaining(words)])
  })
})

// rule: send 17
describe('a phone without its country code', () => {
  test('400: one that is Brazilian but for 55, and of no other country, is asked about', async () => {
    for (const [path, body, field] of [
      ['/v1/messages', { to: '11987654321', ...text }, 'to'],
      ['/v1/messages', { to: '(11) 98765-4321', ...text }, 'to'],
      ['/v1/marketing-opt-outs', { phone: '11 98765-4321' }, 'phone'],
    ] as const) {
      const answer = await post(path, body)
      expect([answer.status, answer.body.error.details[0].field]).toEqual([400, field])
      expect(answer.body.error.message).toContain('Is the country code 55 missing?')
    }
  })

  test('202: with a plus, or of another country, it is taken as it is', async () => {
    for (const to of ['+11987654321', '12125551234', '51987654321']) expect((await post('/v1/messages', { to, ...text })).status).toBe(202)
  })
})

// rule: send 16
describe('a field that is nearly one of the contract', () => {
  test('202: it is passed on, and named with the one that may be meant, at each repetition too', async () => {
    const asked = { to: gateway.newPerson(), ...text, client_refrence: 'pedido-1', Contact_name: 'Ana' }
    const once = () => gateway.call('POST', '/v1/messages', { key: account.test, body: asked, headers: { 'idempotency-key': 'nearly' } })
    for (const { status, headers } of [await once(), await once()]) {
      expect(status).toBe(202)
      expect(headers['service-warning']).toBe(
        'client_refrence is passed on unread: is client_reference meant? Contact_name is passed on unread: is contact_name meant?',
      )
    }
  })

  test('202: nothing is said of fields that are right, or like none', async () => {
    const { headers } = await post('/v1/messages', { to: gateway.newPerson(), ...text, ttl: 60, messaging_hint: 'x' })
    expect(headers['service-warning']).toBeUndefined()
  })

  test('201: of a template too', async () => {
    const components = [{ type: 'BODY', text: 'Olá' }]
    const asked = { name: 'quase', language: 'pt_BR', category: 'UTILITY', components, chanel_id: 'x' }
    const { status, headers } = await post('/v1/templates', asked, account.live)
    expect([status, headers['service-warning']]).toEqual([201, 'chanel_id is passed on unread: is channel_id meant?'])
  })
})
