import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { Validator } from '@seriousme/openapi-schema-validator'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestAccount } from '../support/accounts.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { textTo } from '../support/texts.ts'

let gateway: TestGateway
let account: TestAccount
beforeAll(async () => {
  gateway = await startTestGateway({ settings: { PUBLIC_URL: 'https://api.example.com', ALT_PUBLIC_URL: 'https://two.example.com' } })
  account = await gateway.account()
})
afterAll(() => gateway.close())

const call: TestGateway['call'] = (method, path, options) => gateway.call(method, path, options)

// rule: requests 4
describe('headers', () => {
  test('each answer has a Request-Id of its own, which errors repeat', async () => {
    const answers = await Promise.all(['/v1/channels', '/v1/nothing', '/health', '/nothing'].map((path) => call('GET', path)))
    expect(new Set(answers.map((each) => each.headers['request-id'])).size).toBe(4)
    expect(answers[3]?.body.error.request_id).toBe(answers[3]?.headers['request-id'])
  })

  test('a Request-Id of the caller is not taken over', async () => {
    const id = `req_${'a'.repeat(32)}`
    const { headers } = await call('GET', '/v1/channels', { key: account.live, headers: { 'request-id': id } })
    expect(headers['request-id']).not.toBe(id)
  })

  test('RateLimit-Remaining counts down, RateLimit-Reset is the seconds of at most a minute', async () => {
    const own = await gateway.account()
    const [first, second] = [await call('GET', '/v1/channels', { key: own.live }), await call('GET', '/v1/channels', { key: own.live })]
    expect(first.headers['ratelimit-limit']).toBe('1000000')
    expect(Number(second.headers['ratelimit-remaining'])).toBe(Number(first.headers['ratelimit-remaining']) - 1)
    const reset = Number(first.headers['ratelimit-reset'])
    expect(reset >= 1 && reset <= 60).toBe(true)
  })
})

describe('an unknown path', () => {
  test.each([
    ['GET', '/nothing'],
    ['POST', '/'],
    ['GET', '/a'],
    ['POST', '/v2/messages'],
    ['GET', '/messages'],
    ['DELETE', '/health'],
    ['POST', '/openapi.json'],
    ['GET', '/docs/nothing'],
    ['GET', '/%2e%2e/etc/passwd'],
  ] as const)('outside of /v1 is 404 not_found in the envelope: %s %s', async (method, path) => {
    const { status, body, headers } = await call(method, path)
    expect([status, body.error.code]).toEqual([404, 'not_found'])
    expect(headers['content-type']).toBe('application/json; charset=utf-8')
  })

  test.each([
    ['GET', '/v1/nothing'],
    ['PATCH', '/v1/messages'],
    ['DELETE', '/v1/channels'],
    ['GET', '/v1/messages/'],
    ['GET', '/v1/'],
    ['POST', '/v1/Messages'],
    ['GET', '/v1//messages'],
  ] as const)('or method under /v1 is 404 not_found with a key, and 401 without: %s %s', async (method, path) => {
    const withKey = await call(method, path, { key: account.live })
    const without = await call(method, path)
    expect([withKey.status, withKey.body.error.code]).toEqual([404, 'not_found'])
    expect([without.status, without.body.error.code]).toEqual([401, 'unauthorized'])
  })

  test('is 404 whatever its body is', async () => {
    const { status } = await call('POST', '/v1/nothing', { key: account.live, body: '{ broken', headers: { 'content-type': 'text/x' } })
    expect(status).toBe(404)
  })

  test('that is no valid percent-encoding is 400 invalid_request', async () => {
    const { status, body } = await call('GET', '/v1/messages/%ff', { key: account.live })
    expect([status, body.error.code]).toEqual([400, 'invalid_request'])
  })

  test('a part of a path with 700 characters is 404', async () => {
    expect((await call('GET', `/v1/messages/${'x'.repeat(700)}`, { key: account.live })).status).toBe(404)
  })
})

test('what is not HTTP at all is answered with 400 and the connection ends', async () => {
  const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1')
  socket.end('PING\r\n\r\n')
  const answer = await text(socket)
  expect(answer).toMatch(/^HTTP\/1\.1 400 /)
  expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4)).error.code).toBe('invalid_request')
})

test('a HEAD is answered like its GET, without a body', async () => {
  const { status, text: body } = await call('HEAD', '/v1/channels', { key: account.live })
  expect([status, body]).toEqual([200, ''])
  expect((await call('HEAD', '/v1/channels')).status).toBe(401)
})

test('/health says ok without a key', async () => {
  const { status, body } = await call('GET', '/health')
  expect([status, body]).toEqual([200, { status: 'ok' }])
})

test('/ready shows each check, and no address of anything', async () => {
  const { status, body, headers, text: shown } = await call('GET', '/ready')
  expect([status, body.status, headers['cache-control']]).toEqual([200, 'ready', 'no-store'])
  expect(body.checks).toMatchObject({ database: { ok: true }, migrations: { ok: true } })
  expect(shown).not.toMatch(/127\.0\.0\.1|localhost|postgres/)
})

describe('/metrics', () => {
  test('is in Prometheus’ form on loopback, by route pattern, and holds nothing of a customer', async () => {
    const person = gateway.newPerson()
    const { body } = await call('POST', '/v1/messages', { key: account.test, body: textTo(person) })
    await call('GET', `/v1/messages/${body.id}`, { key: account.test })
    const { status, headers, text: page } = await call('GET', '/metrics')
    expect([status, headers['content-type']]).toEqual([200, expect.stringContaining('text/plain')])
    expect(page).toContain('http_request_duration_seconds_count{method="GET",route="/v1/messages/:id",status="200"} 1')
    for (const word of [person, body.id, account.uuid, account.test]) expect(page).not.toContain(word)
  })

  test('is 404 for whoever comes through a proxy', async () => {
    expect((await call('GET', '/metrics', { headers: { 'x-forwarded-for': '203.0.113.9' } })).status).toBe(404)
  })
})

describe('/openapi.json', () => {
  test('is valid OpenAPI 3.1, version 1.0.0, with both addresses and bearer authentication', async () => {
    const { status, body, headers } = await call('GET', '/openapi.json')
    expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8'])
    const { errors } = await new Validator().validate(body)
    expect(errors).toBeUndefined()
    expect([body.openapi.slice(0, 3), body.info.version]).toEqual(['3.1', '1.0.0'])
    expect(body.servers).toMatchObject([{ url: 'https://api.example.com/v1' }, { url: 'https://two.example.com/v1' }])
    expect(Object.values(body.components.securitySchemes)).toMatchObject([{ type: 'http', scheme: 'bearer' }])
  })

  test('has the operations of the contract, each with its errors', async () => {
    const { paths } = (await call('GET', '/openapi.json')).body
    const statusesOf = (path: string, method: string) => Object.keys(paths[path][method].responses).map(Number)
    expect(statusesOf('/messages', 'post')).toEqual(expect.arrayContaining([202, 400, 401, 402, 403, 404, 409, 422, 429]))
    expect(statusesOf('/messages', 'get')).toEqual(expect.arrayContaining([200, 400, 401, 403, 429]))
    expect(statusesOf('/messages/{id}', 'get')).toEqual(expect.arrayContaining([200, 401, 403, 404, 429]))
    expect(statusesOf('/webhooks', 'post')).toEqual(expect.arrayContaining([201, 400, 401, 403, 409, 429]))
    expect(statusesOf('/channels', 'get')).toEqual(expect.arrayContaining([200, 401, 403, 429]))
    expect(
      Object.keys(paths).filter((path) => !/^\/(messages|webhooks|channels|media|templates|marketing-opt-outs|usage)/.test(path)),
    ).toEqual([])
  })
})

test('/docs shows the reference, and loads nothing from elsewhere', async () => {
  const moved = await call('GET', '/docs')
  expect([moved.status, moved.headers.location]).toEqual([302, '/docs/'])
  const { status, headers, text: page } = await call('GET', '/docs/')
  expect([status, headers['content-type']]).toEqual([200, expect.stringContaining('text/html')])
  expect(page).toContain('/openapi.json')
  expect(page.match(/(?:src|href)="https?:[^"]*"/g) ?? []).toEqual([])
  expect(headers['content-security-policy']).toMatch(/^default-src 'none'/)
})
