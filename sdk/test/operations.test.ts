import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createPombo, type Pombo } from '../src/index.ts'
import { type StandIn, startStandIn } from './support/stand-in.ts'

const here = (path: string) => readFile(new URL(path, import.meta.url), 'utf8')
const contract = JSON.parse(await here('../../contract/openapi.json'))
const operations = Object.entries(contract.paths).flatMap(([path, methods]) =>
  Object.keys(methods as object).map((method) => `${method.toUpperCase()} ${path}`),
)

let standIn: StandIn
let pombo: Pombo
beforeAll(async () => {
  standIn = await startStandIn({ status: 200, body: { object: 'list', data: [], has_more: false } })
  pombo = createPombo({ apiKey: 'svc_test_1', baseUrl: standIn.url })
})
afterAll(() => standIn.close())

const file = new Blob(['%PDF-1.7'], { type: 'application/pdf' })
const template = { name: 'order_sent', language: 'pt_BR', category: 'UTILITY' as const, components: [{ type: 'BODY', text: 'Saiu!' }] }
const webhook = { url: 'https://receiver.example/events', events: ['message.received' as const] }
const text = { to: '+55 11 98765-4321', type: 'text' as const, text: { body: 'Olá!' } }

/** Every function of the client: what it calls by the contract, what the address says beside, and the body. */
const functions: [operation: string, run: () => Promise<unknown>, url: string, body: object | null][] = [
  ['POST /messages', () => pombo.messages.send(text), '/messages', text],
  ['GET /messages', () => pombo.messages.list({ limit: 5, status: 'sent' }).page(), '/messages?limit=5&status=sent', null],
  ['GET /messages/{id}', () => pombo.messages.get('msg_1'), '/messages/msg_1', null],
  [
    'POST /messages/{id}/read',
    () => pombo.messages.markRead('msg_1', { typing_indicator: true }),
    '/messages/msg_1/read',
    { typing_indicator: true },
  ],
  ['GET /templates', () => pombo.templates.list({ status: 'APPROVED' }).page(), '/templates?status=APPROVED', null],
  ['POST /templates', () => pombo.templates.create(template), '/templates', template],
  ['GET /templates/{name}', () => pombo.templates.get('order_sent', { channel_id: 'ch_1' }), '/templates/order_sent?channel_id=ch_1', null],
  ['DELETE /templates/{name}', () => pombo.templates.delete('order_sent', { hsm_id: '7' }), '/templates/order_sent?hsm_id=7', null],
  ['GET /channels', () => pombo.channels.list().page(), '/channels', null],
  ['POST /webhooks', () => pombo.webhooks.create(webhook), '/webhooks', webhook],
  ['GET /webhooks', () => pombo.webhooks.list().page(), '/webhooks', null],
  ['GET /webhooks/{id}', () => pombo.webhooks.get('whk_1'), '/webhooks/whk_1', null],
  ['PATCH /webhooks/{id}', () => pombo.webhooks.update('whk_1', { enabled: false }), '/webhooks/whk_1', { enabled: false }],
  ['DELETE /webhooks/{id}', () => pombo.webhooks.delete('whk_1'), '/webhooks/whk_1', null],
  [
    'POST /webhooks/{id}/rotate-secret',
    () => pombo.webhooks.rotateSecret('whk_1', { expire_previous_in: 60 }),
    '/webhooks/whk_1/rotate-secret',
    { expire_previous_in: 60 },
  ],
  ['POST /webhooks/{id}/test', () => pombo.webhooks.sendTest('whk_1'), '/webhooks/whk_1/test', null],
  [
    'GET /webhooks/{id}/deliveries',
    () => pombo.webhooks.deliveries('whk_1', { status: 'failed' }).page(),
    '/webhooks/whk_1/deliveries?status=failed',
    null,
  ],
  [
    'POST /webhooks/{id}/deliveries/{delivery_id}/retry',
    () => pombo.webhooks.retry('whk_1', 'dlv_1'),
    '/webhooks/whk_1/deliveries/dlv_1/retry',
    null,
  ],
  [
    'POST /webhooks/{id}/deliveries/retry',
    () => pombo.webhooks.retryAll('whk_1', { since: '2026-11-27' }),
    '/webhooks/whk_1/deliveries/retry',
    { since: '2026-11-27' },
  ],
  ['POST /marketing-opt-outs', () => pombo.optOuts.add('+55 11 98765-4321'), '/marketing-opt-outs', { phone: '+55 11 98765-4321' }],
  ['DELETE /marketing-opt-outs/{phone}', () => pombo.optOuts.remove('+55 11'), '/marketing-opt-outs/%2B55%2011', null],
  ['GET /marketing-opt-outs', () => pombo.optOuts.list({ limit: 100 }).page(), '/marketing-opt-outs?limit=100', null],
  ['GET /usage', () => pombo.usage.get({ month: '2026-11' }), '/usage?month=2026-11', null],
]

describe('each function of the client is one call', () => {
  test.each(functions)('%s', async (operation, run, url, body) => {
    const before = standIn.heard.length
    await run()
    expect(standIn.heard).toHaveLength(before + 1)
    const heard = standIn.heard.at(-1)
    expect(`${heard?.method} ${heard?.url}`).toBe(`${operation.split(' ')[0]} /v1${url}`)
    expect(heard?.headers['content-type']).toBe(body === null ? undefined : 'application/json')
    expect(heard?.body.toString()).toBe(body === null ? '' : JSON.stringify(body))
  })

  test('POST /media, as a form with the file, its kind and its name', async () => {
    for (const given of [file, new TextEncoder().encode('%PDF-1.7'), await file.arrayBuffer()]) {
      await pombo.media.upload(given, { fileName: 'nota.pdf' })
      const { headers, body, ...heard } = standIn.heard.at(-1) ?? { headers: {}, body: Buffer.alloc(0) }
      expect(heard).toEqual({ method: 'POST', url: '/v1/media' })
      const form = await new Response(new Uint8Array(body), { headers: { 'content-type': headers['content-type'] ?? '' } }).formData()
      const uploaded = form.get('file') as File
      expect([uploaded.name, await uploaded.text()]).toEqual(['nota.pdf', '%PDF-1.7'])
      if (given === file) expect(uploaded.type).toBe('application/pdf')
    }
  })

  test('every operation of the contract has one', () => {
    const called = [...functions.map(([operation]) => operation), 'POST /media']
    expect(operations.filter((each) => !called.includes(each))).toEqual([])
  })
})

describe('lists go on where the page before ended', () => {
  const pages = async (first: object, walk: (client: Pombo) => AsyncIterable<unknown>) => {
    const body = { object: 'list', has_more: true, ...first }
    const gateway = await startStandIn({ status: 200, body }, { status: 200, body: { object: 'list', data: [], has_more: false } })
    for await (const _ of walk(createPombo({ apiKey: 'svc_test_1', baseUrl: gateway.url })));
    await gateway.close()
    return gateway.heard.map((each) => each.url)
  }

  test('messages and deliveries after an id, with the same question', async () => {
    const data = [{ id: 'x_1' }, { id: 'x_2' }]
    expect(await pages({ data }, ({ messages }) => messages.list({ limit: 2, phone: '55 11' }))).toEqual([
      '/v1/messages?limit=2&phone=55+11',
      '/v1/messages?limit=2&phone=55+11&starting_after=x_2',
    ])
    expect(await pages({ data }, ({ webhooks }) => webhooks.deliveries('whk_1', { starting_after: 'x_0' }))).toEqual([
      '/v1/webhooks/whk_1/deliveries?starting_after=x_0',
      '/v1/webhooks/whk_1/deliveries?starting_after=x_2',
    ])
  })

  test('templates after what the page calls the next one', async () => {
    expect(await pages({ data: [{ name: 'a' }], next_cursor: 'c&1' }, ({ templates }) => templates.list({ status: 'PAUSED' }))).toEqual([
      '/v1/templates?status=PAUSED',
      '/v1/templates?status=PAUSED&after=c%261',
    ])
  })

  test('opt-outs after a phone', async () => {
    expect(await pages({ data: [{ phone: '551198' }] }, ({ optOuts }) => optOuts.list())).toEqual([
      '/v1/marketing-opt-outs',
      '/v1/marketing-opt-outs?starting_after=551198',
    ])
  })

  test('numbers and webhooks are told all at once', async () => {
    expect(await pages({ data: [{ id: 'ch_1' }] }, ({ channels }) => channels.list())).toEqual(['/v1/channels'])
    expect(await pages({ data: [{ id: 'whk_1' }] }, ({ webhooks }) => webhooks.list())).toEqual(['/v1/webhooks'])
  })
})

test.each(['', '.', '..'])('an id that would lead elsewhere is refused before anything is called: "%s"', async (id) => {
  const before = standIn.heard.length
  await expect(pombo.webhooks.delete(id)).rejects.toThrow(TypeError)
  await expect(pombo.messages.get(id)).rejects.toThrow(TypeError)
  expect(standIn.heard).toHaveLength(before)
})

test('a slash or a question mark in an id stays in it', async () => {
  await pombo.templates.get('a/b?c#d')
  expect(standIn.heard.at(-1)?.url).toBe('/v1/templates/a%2Fb%3Fc%23d')
})
