import { once } from 'node:events'
import { connect } from 'node:net'
import { Type } from 'typebox'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exchange, listen, readRaw, type TestServer, testServer } from './test-server.ts'

let server: TestServer
let port: number
beforeAll(async () => {
  server = await testServer({
    routes: (v1) => {
      v1.get(
        '/things/:id',
        { config: { access: { scope: null, testKeys: true } }, schema: { params: Type.Object({ id: Type.String() }) } },
        async ({ params }) => params,
      )
    },
  })
  port = await listen(server.app)
})
afterAll(() => server.app.close())

const live = 'Authorization: Bearer live\r\nConnection: close\r\n'
const request = (line: string, headers = `Host: x\r\n${live}`) => `${line} HTTP/1.1\r\n${headers}\r\n`

describe('what never reaches a route is answered in the envelope, with a Request-Id', () => {
  test.each([
    ['a path that is no UTF-8', request('GET /v1/things/%ff'), 400, 'invalid_request'],
    ['a path that is no percent-encoding', request('GET /v1/things/%zz'), 400, 'invalid_request'],
    ['such a path without a key', request('GET /v1/things/%zz', 'Host: x\r\nConnection: close\r\n'), 401, 'unauthorized'],
    ['such a path beside /v1', request('GET /%zz', 'Host: x\r\nConnection: close\r\n'), 400, 'invalid_request'],
    ['a part of a path that is too long', request(`GET /v1/things/${'x'.repeat(601)}`), 404, 'not_found'],
    ['a method that HTTP does not have', request('FETCH /v1/things/1'), 400, 'invalid_request'],
    ['a method that we do not have', request('PROPFIND /v1/things/1'), 404, 'not_found'],
    ['headers over 16 KB', request('GET /health', `Host: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n`), 400, 'invalid_request'],
    ['no Host', request('GET /health', 'Connection: close\r\n'), 400, 'invalid_request'],
    ['no HTTP at all', 'hello\r\n\r\n', 400, 'invalid_request'],
    ['a header without a name', request('GET /health', ': x\r\n'), 400, 'invalid_request'],
    ['two lengths', request('POST /v1/things/1', `Host: x\r\n${live}Content-Length: 1\r\nContent-Length: 2\r\n`), 400, 'invalid_request'],
  ])('%s', async (_name, bytes, status, code) => {
    const answered = readRaw(await exchange(port, bytes))
    expect(answered).toMatchObject({ status, error: { code } })
    expect(answered.requestId).toBe(answered.error?.request_id)
  })

  test('a part of a path of 600 characters is still looked up', async () => {
    expect(readRaw(await exchange(port, request(`GET /v1/things/${'x'.repeat(600)}`))).status).toBe(200)
  })

  test('an unknown expectation is passed over', async () => {
    expect(readRaw(await exchange(port, request('GET /health', 'Host: x\r\nExpect: miracles\r\nConnection: close\r\n'))).status).toBe(200)
  })

  test('HTTP/1.0 needs no Host', async () => {
    expect(readRaw(await exchange(port, 'GET /health HTTP/1.0\r\n\r\n')).status).toBe(200)
  })

  test('a caller that leaves in the middle of a request leaves the server well', async () => {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    socket.write(`POST /v1/things HTTP/1.1\r\nHost: x\r\n${live}Content-Length: 100\r\n\r\n{`)
    socket.resetAndDestroy()
    await once(socket, 'close')
    expect(readRaw(await exchange(port, request('GET /health'))).status).toBe(200)
  })
})
