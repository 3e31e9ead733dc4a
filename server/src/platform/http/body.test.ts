import { gzipSync } from 'node:zlib'
import { Type } from 'typebox'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { canonicalJson, type Json } from '../../base/json.ts'
import { readRawBodies } from './body.ts'
import { optionalBody } from './schema.ts'
import { as, exchange, listen, readRaw, type TestServer, testServer } from './test-server.ts'

const config = { access: { scope: null, testKeys: true } }
const json = { 'content-type': 'application/json' }

let server: TestServer
let port: number
beforeAll(async () => {
  server = await testServer({
    routes(v1) {
      v1.post('/echo', { config, schema: { body: Type.Object({}, { additionalProperties: true }) } }, async ({ body }, reply) => {
        reply.header('content-type', 'application/json')
        return canonicalJson(body as Json)
      })
      const body = optionalBody(Type.Object({ flag: Type.Optional(Type.Boolean()) }, { additionalProperties: false }))
      v1.post('/optional', { config, schema: { body } }, async (request) => ({ none: (request.body ?? null) === null }))
      v1.delete('/optional', { config, schema: { body } }, async (request) => ({ none: (request.body ?? null) === null }))
    },
    beside(app) {
      app.register(async (scope) => {
        readRawBodies(scope, 3 * 1024 * 1024)
        scope.post('/raw', async (request) => ({ bytes: (request.body as Buffer).length }))
      })
    },
  })
  port = await listen(server.app)
})
afterAll(() => server.app.close())

const post = (url: string, payload: string | Buffer | undefined, headers: Record<string, string> = json) =>
  server.app.inject({ method: 'POST', url, headers: { ...as('live'), ...headers }, ...(payload === undefined ? {} : { payload }) })

describe('a JSON body', () => {
  // rule: requests 3
  test('keeps whole numbers beyond 2^53 digit for digit', async () => {
    expect((await post('/v1/echo', '{"n":12345678901234567890,"deep":[{"m":-9007199254740993}]}')).body).toBe(
      '{"deep":[{"m":-9007199254740993}],"n":12345678901234567890}',
    )
  })

  test('may start with a byte-order mark', async () => {
    expect((await post('/v1/echo', Buffer.from('\uFEFF{"a":1}'))).body).toBe('{"a":1}')
  })

  test('may say its charset', async () => {
    expect((await post('/v1/echo', '{"a":"é"}', { 'content-type': 'application/json; charset=UTF-8' })).body).toBe('{"a":"é"}')
  })

  test.each([
    ['a NUL', '{"text":{"body":"a\\u0000b"}}', 'text.body'],
    ['half a surrogate pair', '{"list":["ok","\\ud800"]}', 'list[1]'],
    ['a NUL in a name', '{"a\\u0000":1}', 'body'],
  ])('with %s is a 400 that names the field', async (_name, payload, field) => {
    const answered = await post('/v1/echo', payload)
    expect(answered.statusCode).toBe(400)
    expect(answered.json().error.details).toEqual([{ field, message: 'must not contain NUL characters or half surrogate pairs' }])
  })

  test('with a whole surrogate pair as escapes is fine', async () => {
    expect((await post('/v1/echo', '{"a":"\\ud83d\\ude00"}')).body).toBe('{"a":"😀"}')
  })

  test.each([
    ['broken', '{"a":'],
    ['with words after its end', '{"a":1} x'],
    ['a single quote', "{'a':1}"],
    ['__proto__ at the top', '{"__proto__":{"a":1}}'],
    ['__proto__ inside', '{"a":[{"__proto__":1}]}'],
    ['__proto__ as an escape', '{"\\u005f_proto__":1}'],
    ['not UTF-8', Buffer.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d])],
    ['half a surrogate pair as bytes', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
    ['nested too deep', `{"a":${'['.repeat(100)}${']'.repeat(100)}}`],
    ['nested far too deep', '['.repeat(200_000)],
    ['no object', '[1]'],
    ['null', 'null'],
    ['empty, where one is needed', ''],
  ])('%s: 400, and its own words are not repeated', async (_name, payload) => {
    const answered = await post('/v1/echo', payload)
    expect(answered.statusCode).toBe(400)
    expect(answered.json().error.code).toBe('invalid_request')
    expect(answered.body.length).toBeLessThan(300)
  })

  test('nesting inside of strings does not count', async () => {
    expect((await post('/v1/echo', JSON.stringify({ a: `"\\${'[{'.repeat(300)}` }))).statusCode).toBe(200)
  })

  test('compressed: 400 that says so', async () => {
    const answered = await post('/v1/echo', gzipSync('{"a":1}'), { ...json, 'content-encoding': 'gzip' })
    expect(answered.statusCode).toBe(400)
    expect(answered.json().error.message).toContain('compressed')
  })

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/xml',
    'multipart/form-data; boundary=x',
    'not a type',
    'application/jsonx',
  ])('of the content type %s: 400 that names the right one', async (type) => {
    const answered = await post('/v1/echo', '{"a":1}', { 'content-type': type })
    expect(answered.statusCode).toBe(400)
    expect(answered.json().error.message).toContain('application/json')
  })

  test('without a content type: 400', async () => {
    const answered = await exchange(
      port,
      `POST /v1/echo HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer live\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`,
    )
    expect(readRaw(answered)).toMatchObject({ status: 400, error: { code: 'invalid_request' } })
  })

  // rule: requests 1
  test('of exactly 256 KB is read; of one byte more it is a 400', async () => {
    const sized = (bytes: number) => `{"a":"${'x'.repeat(bytes - 8)}"}`
    expect((await post('/v1/echo', sized(256 * 1024))).statusCode).toBe(200)
    const answered = await post('/v1/echo', sized(256 * 1024 + 1))
    expect(answered.statusCode).toBe(400)
    expect(answered.json().error.message).toContain('262144 bytes')
  })

  test('announced too large is refused before it was sent', async () => {
    const head = `POST /v1/echo HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer live\r\nContent-Type: application/json\r\nContent-Length: 50000000\r\n\r\n{"a":`
    expect(readRaw(await exchange(port, head))).toMatchObject({
      status: 400,
      requestId: expect.any(String),
      error: { code: 'invalid_request' },
    })
  })

  test('in chunks that grow too large is refused while it is still being sent', async () => {
    const chunk = `${(64 * 1024).toString(16)}\r\n${'x'.repeat(64 * 1024)}\r\n`
    const head =
      'POST /v1/echo HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer live\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n'
    expect(readRaw(await exchange(port, head + chunk.repeat(5)))).toMatchObject({ status: 400, error: { code: 'invalid_request' } })
  })
})

describe('a body that may be left out', () => {
  test.each(['application/json', 'text/plain', 'application/x-www-form-urlencoded', 'not a type'])(
    'is none when it is empty, as %s too',
    async (type) => {
      for (const method of ['POST', 'DELETE'] as const) {
        const answered = await server.app.inject({ method, url: '/v1/optional', headers: { ...as('live'), 'content-type': type } })
        expect([answered.statusCode, answered.body]).toEqual([200, '{"none":true}'])
      }
    },
  )

  test('is none when it is empty and chunked', async () => {
    const head =
      'POST /v1/optional HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer live\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n'
    expect(await exchange(port, `${head}0\r\n\r\n`)).toContain('{"none":true}')
  })

  test('is checked when it is there', async () => {
    expect((await post('/v1/optional', '{"flag":true}')).body).toBe('{"none":false}')
    expect((await post('/v1/optional', '{"flag":"yes"}')).json().error.details).toEqual([
      { field: 'flag', message: 'must be true or false' },
    ])
    expect((await post('/v1/optional', '[]')).statusCode).toBe(400)
    expect((await post('/v1/optional', 'null')).statusCode).toBe(400)
    expect((await post('/v1/optional', 'x', { 'content-type': 'text/plain' })).statusCode).toBe(400)
  })
})

describe('a scope of raw bodies', () => {
  test('takes any content type, byte for byte, up to its own limit', async () => {
    expect((await server.app.inject({ method: 'POST', url: '/raw', headers: json, payload: '{ broken' })).json()).toEqual({ bytes: 8 })
    expect(
      (
        await server.app.inject({ method: 'POST', url: '/raw', headers: { 'content-type': 'x/y' }, payload: 'x'.repeat(3 * 1024 * 1024) })
      ).json(),
    ).toEqual({
      bytes: 3 * 1024 * 1024,
    })
    expect(
      (await server.app.inject({ method: 'POST', url: '/raw', headers: json, payload: 'x'.repeat(3 * 1024 * 1024 + 1) })).statusCode,
    ).toBe(400)
  })
})
