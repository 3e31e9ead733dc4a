import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestAccount } from '../support/accounts.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { type MemberCall, memberOf } from '../support/team.ts'

let gateway: TestGateway
let account: TestAccount
let other: TestAccount
let call: MemberCall
let ofOther: MemberCall

beforeAll(async () => {
  gateway = await startTestGateway()
  account = await gateway.account({ channels: 0 })
  other = await gateway.account({ channels: 0 })
  call = await memberOf(gateway, account)
  ofOther = await memberOf(gateway, other)
})
afterAll(() => gateway.close())

const make = (body: object = {}) => call('POST', '/api-keys', { body: { name: 'Loja', livemode: true, scopes: null, ...body } })
const listMessages = (key: string) => gateway.call('GET', '/v1/messages', { key })

test('a key is made, shown once, used, listed by its last characters, and revoked', async () => {
  const { status, body } = await make({ scopes: ['messages:read'] })
  expect([status, body.name, body.livemode, body.scopes, body.hint]).toEqual([201, 'Loja', true, ['messages:read'], body.key.slice(-4)])
  expect((await listMessages(body.key)).status).toBe(200)
  const listed = await call('GET', '/api-keys')
  expect(listed.text).not.toContain(body.key)
  const { key: _key, ...shown } = body
  expect(listed.body.data.at(-1)).toEqual(shown)
  const revoked = await call('DELETE', `/api-keys/${body.id}`)
  expect([revoked.status, typeof revoked.body.revoked_at]).toEqual([200, 'string'])
  expect((await listMessages(body.key)).status).toBe(401)
})

test('400 for a name of blanks, a scope that there is not, and fields that are missing', async () => {
  for (const body of [{ name: '  ' }, { scopes: ['members:write'] }, { scopes: [] }, { livemode: undefined }])
    expect((await make(body)).status).toBe(400)
})

test('409 for the twenty-first active key', async () => {
  const full = await gateway.account({ channels: 0 })
  const ofFull = await memberOf(gateway, full)
  const make = () => ofFull('POST', '/api-keys', { body: { name: 'Loja', livemode: false, scopes: null } })
  for (let i = 0; i < 18; i += 1) expect((await make()).status).toBe(201)
  expect((await make()).body.error.code).toBe('conflict')
})

test('the keys and the calls of another account are not there', async () => {
  const { body } = await make()
  expect((await ofOther('GET', '/api-keys')).text).not.toContain(body.id)
  expect((await ofOther('DELETE', `/api-keys/${body.id}`)).status).toBe(404)
  expect((await listMessages(body.key)).status).toBe(200)
  await logged(1, { key_id: body.id })
  expect((await ofOther('GET', '/request-log', { query: { key_id: body.id } })).body.data).toEqual([])
})

test('403 without the right', async () => {
  const viewer = await memberOf(gateway, account, 'viewer')
  expect((await viewer('POST', '/api-keys', { body: { name: 'Loja', livemode: true, scopes: null } })).status).toBe(403)
  expect((await viewer('DELETE', '/api-keys/key_0')).status).toBe(403)
  const agent = await memberOf(gateway, account, 'agent')
  for (const path of ['/api-keys', '/request-log']) expect((await agent('GET', path)).status).toBe(403)
})

/** What the log says, once it holds so many calls: it is written a moment after them. */
async function logged(atLeast: number, query: Record<string, string | number>, by = call) {
  for (let tries = 0; ; tries += 1) {
    const { body } = await by('GET', '/request-log', { query })
    if (body.data.length >= atLeast || tries > 200) return body
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

test('the request log shows calls newest first, in pages, and by status, key and route', async () => {
  const { body: key } = await make()
  const calls = ['/v1/messages', '/v1/channels', '/v1/messages/msg_0', '/v1/messages?limit=0'] as const
  for (const path of calls) await gateway.call('GET', path, { key: key.key })
  const of = { key_id: key.id }
  const { data } = await logged(4, of)
  expect(data.map((each: Record<string, unknown>) => [each.method, each.route, each.status_code, each.key_id])).toEqual([
    ['GET', '/v1/messages', 400, key.id],
    ['GET', '/v1/messages/:id', 404, key.id],
    ['GET', '/v1/channels', 200, key.id],
    ['GET', '/v1/messages', 200, key.id],
  ])
  const ids = data.map((each: { id: string }) => each.id)
  const page = async (query: object) => (await call('GET', '/request-log', { query: { ...of, ...query } })).body
  const first = await page({ limit: 3 })
  expect([first.data.length, first.has_more, first.next]).toEqual([3, true, ids[2]])
  const second = await page({ limit: 3, starting_after: first.next })
  expect([second.data.map((each: { id: string }) => each.id), second.has_more, second.next]).toEqual([[ids[3]], false, null])
  const found = async (query: object) => (await page(query)).data.map((each: { id: string }) => ids.indexOf(each.id))
  expect(await found({ status: '4xx' })).toEqual([0, 1])
  expect(await found({ status: '2xx' })).toEqual([2, 3])
  expect(await found({ status: '5xx' })).toEqual([])
  expect(await found({ status: '2xx', route: '/v1/channels' })).toEqual([2])
})

test('the request log says what a call was refused with, and the message that it sent or asked for', async () => {
  const sender = await gateway.account()
  const ofSender = await memberOf(gateway, sender)
  const { body: key } = await ofSender('POST', '/api-keys', { body: { name: 'ERP', livemode: true, scopes: null } })
  const send = (to: string) => gateway.call('POST', '/v1/messages', { key: key.key, body: { to, ...hello } })
  const { body: sent } = await send('5511970001234')
  const missing = `msg_${'0'.repeat(32)}`
  await gateway.call('GET', `/v1/messages/${missing}`, { key: key.key })
  await send('not a phone')
  const { data } = await logged(3, { key_id: key.id }, ofSender)
  expect(data.map((each: Record<string, unknown>) => [each.status_code, each.error_code, each.message_id])).toEqual([
    [400, 'invalid_request', null],
    [404, 'not_found', missing],
    [202, null, sent.id],
  ])
})

const hello = { type: 'template', template: { name: 'hello_world', language: { code: 'en_US' } } }

test('what the team does in the console is not in the request log', async () => {
  expect((await logged(0, {})).data.some((each: { route: string }) => each.route.startsWith('/console'))).toBe(false)
})
