import { afterEach, describe, expect, test } from 'vitest'
import { manualClock } from '../../base/clock.ts'
import { limits } from '../../limits.ts'
import { createRateLimits } from './rate-limit.ts'
import { createRateWindows } from './rate-window.ts'
import { as, type TestServer, testServer } from './test-server.ts'

let server: TestServer | null = null
afterEach(async () => {
  await server?.app.close()
  server = null
})

async function limited(perKey: number, perAccount: number): Promise<TestServer> {
  server = await testServer({
    perKey,
    perAccount,
    trustProxy: ['127.0.0.1'],
    routes: (v1) => {
      v1.get('/things', { config: { access: { scope: 'things:read', testKeys: true } } }, async () => ({}))
      v1.post('/live', { config: { access: { scope: 'x', testKeys: false } } }, async () => ({}))
    },
  })
  return server
}

const call = async (from: TestServer, name: string, url = '/v1/things') => {
  const answered = await from.app.inject({ url, headers: name === '' ? {} : { authorization: `Bearer ${name}` } })
  const {
    'ratelimit-limit': limit,
    'ratelimit-remaining': remaining,
    'ratelimit-reset': reset,
    'retry-after': retryAfter,
  } = answered.headers
  return [answered.statusCode, Number(limit), Number(remaining), Number(reset), retryAfter]
}

describe('calls per key', () => {
  test('the last one allowed passes, the next is a 429, and the next window begins after 60 seconds to the millisecond', async () => {
    const from = await limited(3, 100)
    expect(await call(from, 'live')).toEqual([200, 3, 2, 60, undefined])
    from.clock.advance(20_000)
    expect(await call(from, 'live')).toEqual([200, 3, 1, 40, undefined])
    expect(await call(from, 'live')).toEqual([200, 3, 0, 40, undefined])
    expect(await call(from, 'live')).toEqual([429, 3, 0, 40, '40'])
    from.clock.advance(39_999)
    expect(await call(from, 'live')).toEqual([429, 3, 0, 1, '1'])
    from.clock.advance(1)
    expect(await call(from, 'live')).toEqual([200, 3, 2, 60, undefined])
  })

  test('a 429 is the contract’s error, comes before 403, 404 and 400, and does not touch other keys', async () => {
    const from = await limited(1, 100)
    await call(from, 'test')
    const answered = await from.app.inject({ method: 'POST', url: '/v1/live', headers: as('test'), payload: '{' })
    expect(answered.statusCode).toBe(429)
    expect(answered.json().error).toMatchObject({ code: 'rate_limited', request_id: answered.headers['request-id'] })
    expect((await call(from, 'test', '/v1/nothing'))[0]).toBe(429)
    expect((await call(from, 'live'))[0]).toBe(200)
  })

  test('calls that are refused for other reasons count as well', async () => {
    const from = await limited(2, 100)
    expect((await call(from, 'live', '/v1/nothing'))[2]).toBe(1)
    expect((await call(from, 'live', '/v1/things?x=1'))[2]).toBe(0)
  })
})

describe('calls per account', () => {
  // rule: limits 1
  test('are counted over all of its keys, and the headers show the tighter of the two', async () => {
    const from = await limited(3, 4)
    expect(await call(from, 'live')).toEqual([200, 3, 2, 60, undefined])
    expect(await call(from, 'live')).toEqual([200, 3, 1, 60, undefined])
    expect(await call(from, 'other')).toEqual([200, 4, 1, 60, undefined])
    expect(await call(from, 'other')).toEqual([200, 4, 0, 60, undefined])
    expect(await call(from, 'other')).toEqual([429, 4, 0, 60, '60'])
    expect(await call(from, 'live')).toEqual([429, 4, 0, 60, '60'])
  })

  test('are not used up by a key that is over its own limit', async () => {
    const from = await limited(1, 2)
    for (let i = 0; i < 5; i += 1) await call(from, 'live')
    expect((await call(from, 'other'))[0]).toBe(200)
  })
})

describe('failed authentications', () => {
  // rule: limits 2
  test('are limited per address, and never hold up a valid key', async () => {
    const from = await limited(1000, 1000)
    for (let i = 1; i < limits.failedAuthenticationsMax; i += 1) await call(from, 'wrong')
    expect(await call(from, '')).toEqual([401, 600, 0, 60, undefined])
    expect(await call(from, 'wrong')).toEqual([429, 600, 0, 60, '60'])
    expect((await call(from, 'live'))[0]).toBe(200)
    const other = await from.app.inject({ url: '/v1/things', headers: { 'x-forwarded-for': '203.0.113.9' } })
    expect(other.statusCode).toBe(401)
    from.clock.advance(60_000)
    expect((await call(from, 'wrong'))[0]).toBe(401)
  })

  test('a forwarded address counts only from a proxy that is trusted', async () => {
    server = await testServer({ trustProxy: [] })
    const from = (address: string) => server?.app.inject({ url: '/v1/x', headers: { 'x-forwarded-for': address } })
    expect((await from('203.0.113.1'))?.headers['ratelimit-remaining']).toBe('599')
    expect((await from('203.0.113.2'))?.headers['ratelimit-remaining']).toBe('598')
  })

  test('of one IPv6 network count together', async () => {
    const clock = manualClock('2026-01-01T00:00:00Z')
    const rates = await createRateLimits({ clock, observe: () => {}, perKey: 1, perAccount: 1, redisUrl: null })
    const remaining = async (address: string) => (await rates.takeFailedAuthentication(address)).remaining
    expect(await remaining('2001:db8:1:2:3::1')).toBe(599)
    expect(await remaining('2001:db8:1:2:ffff:ffff:ffff:ffff')).toBe(598)
    expect(await remaining('2001:db8:1:3::1')).toBe(599)
    expect(await remaining('::ffff:192.0.2.1')).toBe(599)
    expect(await remaining('::ffff:192.0.2.2')).toBe(599)
  })
})

describe('windows in memory', () => {
  test.each([5536.183, 5540.293, 5544.403])('end after 60 seconds and not 61, also when the clock shows %d', (monotonicMs) => {
    const clock = { ...manualClock('2026-01-01T00:00:00Z'), monotonicMs: () => monotonicMs }
    const take = createRateWindows({ clock, max: 2, windowMs: 60_000, keysMax: 3 })
    expect(monotonicMs + 60_000 - monotonicMs).toBeGreaterThan(60_000)
    expect(take('a').resetSeconds).toBe(60)
  })

  test('are forgotten once they have ended, and never more than the bound are held', () => {
    const clock = manualClock('2026-01-01T00:00:00Z')
    const take = createRateWindows({ clock, max: 2, windowMs: 1000, keysMax: 3 })
    for (const key of ['a', 'b', 'c']) take(key)
    expect(take('a').remaining).toBe(0)
    // The fourth key pushes out the oldest, whose count begins again.
    take('d')
    expect(take('b').remaining).toBe(0)
    expect(take('a').remaining).toBe(1)
  })
})
