import { Type } from 'typebox'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refusal } from '../../base/refusal.ts'
import { type Result, refused } from '../../base/result.ts'
import { BatcherFull } from '../database/batcher.ts'
import { SharesFull } from '../database/shares.ts'
import { TooMuchToRead } from '../database/steps.ts'
import { answer } from './answer.ts'
import { query } from './query.ts'
import { errors } from './schema.ts'
import { as, type TestServer, testServer } from './test-server.ts'

const read = { access: { scope: 'things:read', testKeys: true } }
const write = { access: { scope: 'things:write', testKeys: false } }
const failures: Record<string, () => never> = {
  bug: () => {
    throw new TypeError('secret of the code')
  },
  outage: () => {
    throw Object.assign(new Error('connect ECONNREFUSED 10.0.0.7:5432'), { code: 'ECONNREFUSED' })
  },
  full: () => {
    throw new BatcherFull()
  },
  string: () => {
    throw 'not an Error'
  },
  reads: () => {
    throw new SharesFull()
  },
  rare: () => {
    throw new TooMuchToRead()
  },
}

describe('the HTTP server', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await testServer({
      routes(v1) {
        v1.get('/things/:id', { config: read, schema: { params: Type.Object({ id: Type.String() }) } }, async ({ caller, params }) => ({
          id: params.id,
          account: caller.accountId,
        }))
        v1.post(
          '/things',
          { config: write, schema: { body: Type.Object({ name: Type.String() }, { additionalProperties: false }) } },
          async () => ({
            made: true,
          }),
        )
        v1.get(
          '/fail/:how',
          { config: read, schema: { params: Type.Object({ how: Type.String() }), response: errors(500) } },
          async (request) => failures[request.params.how]?.(),
        )
        v1.get('/refuse', { config: read, schema: { response: { 200: Type.Object({}), ...errors(409) } } }, async (_request, reply) =>
          answer(
            reply,
            refused(refusal('conflict', 'It is taken.', [{ field: 'name', message: 'is taken' }])) as Result<
              object,
              ReturnType<typeof refusal>
            >,
          ),
        )
        v1.get(
          '/misshapen',
          { config: read, schema: { response: { 200: Type.Object({ count: Type.Integer() }) } } },
          async () => ({ count: 'many' }) as never,
        )
        v1.post('/bare', { config: { access: { scope: null, testKeys: true } } }, async () => ({ done: true }))
      },
    })
  })
  afterAll(() => server.app.close())

  test('a call with a valid key reaches its route, which knows the caller', async () => {
    const answered = await server.app.inject({ url: '/v1/things/7', headers: as('live') })
    expect(answered.statusCode).toBe(200)
    expect(answered.json()).toEqual({ id: '7', account: '01900000-0000-7000-8000-00000000000a' })
  })

  test.each([
    ['no key', {}],
    ['an unknown key', { authorization: 'Bearer stranger' }],
    ['another scheme', { authorization: 'Basic bGl2ZTo=' }],
    ['a key without scheme', { authorization: 'live' }],
    ['an empty key', { authorization: 'Bearer ' }],
    ['a key far too long', { authorization: `Bearer ${'x'.repeat(4000)}` }],
  ])('%s is answered 401, whatever the path, method and body', async (_name, headers) => {
    for (const [method, url] of [
      ['GET', '/v1/things/7'],
      ['POST', '/v1/things'],
      ['GET', '/v1/nothing'],
      ['DELETE', '/v1'],
      ['PATCH', '/v1?a=b'],
    ] as const) {
      const answered = await server.app.inject({
        method,
        url,
        headers: { ...headers, ...(method === 'POST' ? { 'content-type': 'application/json' } : {}) },
        ...(method === 'POST' ? { payload: '{broken' } : {}),
      })
      expect(answered.statusCode).toBe(401)
      expect(answered.json().error.code).toBe('unauthorized')
      expect(answered.headers['ratelimit-limit']).toBe('600')
    }
  })

  test('the scheme may be written in any case', async () => {
    expect((await server.app.inject({ url: '/v1/things/7', headers: { authorization: 'bearer live' } })).statusCode).toBe(200)
  })

  // rule: authentication 3
  test('403: a test key on an operation that is for live keys, before its body is looked at', async () => {
    const answered = await server.app.inject({
      method: 'POST',
      url: '/v1/things',
      headers: { ...as('test'), 'content-type': 'application/json' },
      payload: '{',
    })
    expect(answered.statusCode).toBe(403)
    expect(answered.json().error).toMatchObject({ code: 'forbidden', message: 'A test key may not do this operation.' })
  })

  test('403: a key without the scope, which is named', async () => {
    const answered = await server.app.inject({ method: 'POST', url: '/v1/things', headers: as('reader') })
    expect(answered.statusCode).toBe(403)
    expect(answered.json().error.message).toContain('things:write')
    expect((await server.app.inject({ url: '/v1/things/7', headers: as('reader') })).statusCode).toBe(200)
  })

  // rule: authentication 1
  test('404: unknown paths and methods under /v1 for a valid key, with a broken body too', async () => {
    for (const [method, url] of [
      ['GET', '/v1/nothing'],
      ['DELETE', '/v1/things'],
      ['POST', '/v1/things/7'],
    ] as const) {
      const answered = await server.app.inject({
        method,
        url,
        headers: { ...as('live'), 'content-type': 'application/json' },
        payload: '{',
      })
      expect(answered.statusCode).toBe(404)
      expect(answered.json().error.code).toBe('not_found')
      expect(answered.headers['ratelimit-remaining']).toBeDefined()
    }
  })

  test('HEAD goes the way of its GET, key and limits included', async () => {
    expect((await server.app.inject({ method: 'HEAD', url: '/v1/things/7' })).statusCode).toBe(401)
    const answered = await server.app.inject({ method: 'HEAD', url: '/v1/things/7', headers: as('live') })
    expect([answered.statusCode, answered.body]).toEqual([200, ''])
    const [first, second] = [answered, await server.app.inject({ url: '/v1/things/7', headers: as('live') })]
    // Counted once each: the hook did not run twice for the route that Fastify makes itself.
    expect(Number(first.headers['ratelimit-remaining']) - Number(second.headers['ratelimit-remaining'])).toBe(1)
  })

  test('404: paths beside /v1, without asking for a key', async () => {
    for (const url of ['/nothing', '/v2/messages', '/v1x', '/']) {
      const answered = await server.app.inject({ url })
      expect(answered.statusCode).toBe(404)
      expect(answered.json().error.code).toBe('not_found')
      expect(answered.headers['ratelimit-limit']).toBeUndefined()
    }
  })

  // rule: requests 4
  test('every answer carries a Request-Id of its own, the same as in its error', async () => {
    const urls = ['/v1/things/7', '/v1/things/7', '/v1/nothing', '/nothing', '/health', '/openapi.json', '/v1/fail/bug', '/v1/%zz', '/%zz']
    const answers = await Promise.all(urls.map((url) => server.app.inject({ url, headers: as('live') })))
    const ids = answers.map((each) => String(each.headers['request-id']))
    for (const id of ids) expect(id).toMatch(/^req_[0-9a-f]{32}$/)
    expect(new Set(ids).size).toBe(ids.length)
    for (const each of answers.filter((answered) => answered.statusCode >= 400))
      expect(each.json().error.request_id).toBe(each.headers['request-id'])
  })

  test('a refusal is answered with its status and details', async () => {
    const answered = await server.app.inject({ url: '/v1/refuse', headers: as('live') })
    expect(answered.statusCode).toBe(409)
    expect(answered.json().error).toEqual({
      code: 'conflict',
      message: 'It is taken.',
      details: [{ field: 'name', message: 'is taken' }],
      request_id: answered.headers['request-id'],
    })
  })

  test.each([
    ['bug', 'http.bug'],
    ['string', 'http.bug'],
    ['outage', 'http.outage'],
    ['full', 'http.outage'],
  ])('something thrown (%s) is a 500 that tells the caller that a retry is safe, and nothing else', async (how, kind) => {
    const before = server.observed.length
    const answered = await server.app.inject({ url: `/v1/fail/${how}`, headers: as('live') })
    expect(answered.statusCode).toBe(500)
    expect(answered.json().error.code).toBe('internal_error')
    expect(answered.json().error.message).toContain('Idempotency-Key is safe')
    expect(answered.body).not.toMatch(/secret|10\.0\.0\.7/)
    const told = server.observed.slice(before)
    expect(told).toHaveLength(1)
    expect(told[0]).toMatchObject({ kind, requestId: answered.headers['request-id'], route: '/v1/fail/:how' })
  })

  test.each(['reads', 'rare'])('more reads of one account than may wait, or than a list looks through, are 429 (%s)', async (how) => {
    const answered = await server.app.inject({ url: `/v1/fail/${how}`, headers: as('live') })
    expect([answered.statusCode, answered.headers['retry-after'], answered.json().error.code]).toEqual([429, '1', 'rate_limited'])
  })

  test('an answer that does not fit its own schema is a 500, observed as a bug', async () => {
    const answered = await server.app.inject({ url: '/v1/misshapen', headers: as('live') })
    expect(answered.statusCode).toBe(500)
    expect(answered.json().error.code).toBe('internal_error')
    expect(server.observed.at(-1)).toMatchObject({ kind: 'http.bug', route: '/v1/misshapen' })
  })

  test('a route without a schema still refuses unknown fields of a query and of a body', async () => {
    const bare = (url: string, payload?: object) =>
      server.app.inject({ method: 'POST', url, headers: as('live'), ...(payload === undefined ? {} : { payload }) })
    expect((await bare('/v1/bare')).statusCode).toBe(200)
    expect((await bare('/v1/bare', {})).statusCode).toBe(200)
    expect((await bare('/v1/bare?a=1')).json().error.details).toEqual([{ field: 'a', message: 'is not a known field' }])
    expect((await bare('/v1/bare', { a: 1 })).json().error.details).toEqual([{ field: 'a', message: 'is not a known field' }])
  })

  test('a path that the router itself refuses is logged too', async () => {
    const before = server.logged.length
    const answered = await server.app.inject({ url: '/v1/%zz', headers: as('live') })
    expect(server.logged.slice(before)).toMatchObject([{ requestId: answered.headers['request-id'], route: 'unmatched', status: 400 }])
  })

  test('a path in another spelling is the same route, and needs the key as well', async () => {
    for (const url of ['/%761/things/7', '/v1/thing%73/7', 'http://other.example/v1/things/7']) {
      expect((await server.app.inject({ url })).statusCode).toBe(401)
      expect((await server.app.inject({ url, headers: as('live') })).statusCode).toBe(200)
    }
  })

  test('an authenticated call is logged by its pattern, with its answer and without its content', async () => {
    const before = server.logged.length
    const answered = await server.app.inject({ url: '/v1/things/5511987654321', headers: as('test') })
    await server.app.inject({ url: '/v1/things/7' })
    expect(server.logged.slice(before)).toEqual([
      {
        requestId: answered.headers['request-id'],
        accountId: '01900000-0000-7000-8000-00000000000a',
        keyId: '01900000-0000-7000-8000-000000000003',
        livemode: false,
        method: 'GET',
        route: '/v1/things/:id',
        status: 200,
        ms: expect.any(Number),
        errorCode: null,
        messageId: null,
      },
    ])
  })
})

describe('registering a route under /v1', () => {
  test('fails without config.access', async () => {
    await expect(testServer({ routes: (v1) => v1.get('/open', async () => ({})) })).rejects.toThrow(
      'GET /v1/open does not say in config.access',
    )
  })

  test('fails when its query schema would pass over unknown fields', async () => {
    const loose = Type.Object({ a: Type.Optional(Type.String()) })
    await expect(
      testServer({ routes: (v1) => v1.get('/loose', { config: read, schema: { querystring: loose } }, async () => ({})) }),
    ).rejects.toThrow('make its schema with query()')
    const { app } = await testServer({
      routes: (v1) => v1.get('/strict', { config: read, schema: { querystring: query({}) } }, async () => ({})),
    })
    await app.close()
  })

  test('the caller is a bug to ask for outside of /v1', async () => {
    const server = await testServer({ beside: (app) => app.get('/outside', async (request) => ({ account: request.caller.accountId })) })
    expect((await server.app.inject('/outside')).statusCode).toBe(500)
    expect(server.observed).toMatchObject([{ kind: 'http.bug', message: 'bug: the caller was asked for on a route of no account' }])
    await server.app.close()
  })
})
