import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeKey, type TestAccount } from '../support/accounts.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { nobodys, textTo } from '../support/texts.ts'

let gateway: TestGateway
let account: TestAccount
let mine: { id: string }
beforeAll(async () => {
  gateway = await startTestGateway()
  account = await gateway.account()
  const person = gateway.newPerson()
  await gateway.letWrite(account, person)
  mine = (await gateway.call('POST', '/v1/messages', { key: account.live, body: textTo(person, 'words of mine') })).body
})
afterAll(() => gateway.close())

const get = (key: string | null, id: string, query = {}) => gateway.call('GET', `/v1/messages/${id}`, { key, query })

test('200 with the message as it is now', async () => {
  const events = await gateway.events(account)
  const person = gateway.newPerson()
  await gateway.letWrite(account, person)
  const sent = await gateway.call('POST', '/v1/messages', { key: account.live, body: textTo(person, 'Oi', { client_reference: 'r' }) })
  const read = await events.of(sent.body.id, 'message.read')
  const { status, body } = await get(account.live, sent.body.id)
  expect([status, body]).toEqual([200, read.data])
})

test('401 unauthorized without a key', async () => {
  const { status, body } = await get(null, mine.id)
  expect([status, body.error.code]).toEqual([401, 'unauthorized'])
})

test('403 forbidden for a key without messages:read', async () => {
  const key = await makeKey(gateway.deps, account.uuid, { livemode: true, scopes: ['messages:send', 'channels:read'] })
  const { status, body } = await get(key.secret, mine.id)
  expect([status, body.error.code]).toEqual([403, 'forbidden'])
})

test.each([
  nobodys('msg'),
  'msg_1',
  'msg_',
  'x',
  `${nobodys('msg')}0`,
  nobodys('msg').toUpperCase(),
  nobodys('whk'),
  '019ac8f0-a1b2-7c3d-8e4f-5a6b7c8d9e0f',
  "msg_'%20or%201=1",
  'm'.repeat(500),
])('404 not_found for the id %s', async (id) => {
  const { status, body } = await get(account.live, id)
  expect([status, body.error.code]).toEqual([404, 'not_found'])
})

test('404 not_found for another account’s message, in the very words of an id that nobody has', async () => {
  const other = await gateway.account()
  const theirs = await get(other.live, mine.id)
  const nobody = await get(other.live, nobodys('msg'))
  expect(theirs.status).toBe(404)
  expect({ ...theirs.body.error, request_id: '' }).toEqual({ ...nobody.body.error, request_id: '' })
  expect(theirs.text).not.toContain('words of mine')
})

test('404 not_found for a live message with a test key, and for a test message with a live key', async () => {
  expect((await get(account.test, mine.id)).status).toBe(404)
  const test = await gateway.call('POST', '/v1/messages', { key: account.test, body: textTo('5511987654321') })
  expect((await get(account.test, test.body.id)).status).toBe(200)
  expect((await get(account.live, test.body.id)).status).toBe(404)
})

test('400 invalid_request for a NUL in the id', async () => {
  const { status, body } = await get(account.live, '%00')
  expect([status, body.error.code]).toEqual([400, 'invalid_request'])
})

test('400 invalid_request for a query that it does not have', async () => {
  const { status, body } = await get(account.live, mine.id, { expand: 'contact' })
  expect([status, body.error.code, body.error.details[0].field]).toEqual([400, 'invalid_request', 'expand'])
})
