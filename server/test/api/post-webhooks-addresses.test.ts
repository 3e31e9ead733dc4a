import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestAccount } from '../support/accounts.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'

/** As it runs for the public: only https and public addresses. */
let gateway: TestGateway
let account: TestAccount
beforeAll(async () => {
  gateway = await startTestGateway({ settings: { ALLOW_PRIVATE_WEBHOOKS: 'false' } })
  account = await gateway.account()
})
afterAll(() => gateway.close())

const register = (url: string) => gateway.call('POST', '/v1/webhooks', { key: account.live, body: { url, events: ['*'] } })

const forbidden = [
  'http://example.com/hook',
  'https://user:password@example.com/hook',
  'https://localhost/hook',
  'https://api.localhost/hook',
  'https://127.0.0.1/hook',
  'https://127.1/hook',
  'https://2130706433/hook',
  'https://0x7f.0.0.1/hook',
  'https://0.0.0.0/hook',
  'https://10.0.0.1/hook',
  'https://172.16.0.1/hook',
  'https://192.168.1.1:8443/hook',
  'https://169.254.169.254/latest/meta-data',
  'https://100.64.0.1/hook',
  'https://[::1]/hook',
  'https://[::ffff:127.0.0.1]/hook',
  'https://[fe80::1]/hook',
  'https://[fd00::1]/hook',
  'https://[64:ff9b::7f00:1]/hook',
  'https://example.com:22/hook',
  'https://example.com/a b',
]

// rule: delivery 8
test.each(forbidden)('POST: 400 invalid_request names url for %s', async (url) => {
  const { status, body } = await register(url)
  expect([status, body.error.code]).toEqual([400, 'invalid_request'])
  expect(body.error.details.map((each: { field: string }) => each.field)).toEqual(['url'])
})

// rule: delivery 8
test('PATCH: the same for each of them, and the webhook keeps its address', async () => {
  const own = await gateway.account()
  const url = 'https://example.com/hook'
  const made = await gateway.call('POST', '/v1/webhooks', { key: own.live, body: { url, events: ['*'] } })
  const path = `/v1/webhooks/${made.body.id}`
  for (const each of forbidden) {
    const { status, body } = await gateway.call('PATCH', path, { key: own.live, body: { url: each } })
    expect([each, status, body.error.code, body.error.details[0].field]).toEqual([each, 400, 'invalid_request', 'url'])
  }
  expect((await gateway.call('GET', path, { key: own.live })).body.url).toBe(url)
})

test.each(['https://example.com/hook', 'https://example.com:8443/hook', 'https://93.184.215.14/hook'])('201 for %s', async (url) => {
  expect((await register(url)).status).toBe(201)
})
