import { afterEach, expect, test } from 'vitest'
import { type TestServer, testServer } from './test-server.ts'

let server: TestServer | null = null
afterEach(() => server?.app.close())

const ask = async (from: TestServer, remoteAddress: string, headers: Record<string, string> = {}) =>
  from.app.inject({ url: '/ready', remoteAddress, headers })

/** A server whose `/ready` says what was seen of proxies, as that of the gateway does. */
async function watching(): Promise<TestServer> {
  const made: { from: TestServer | null } = { from: null }
  const check = async () => made.from?.proxies.outcome() ?? { ok: true }
  made.from = await testServer({ readiness: [{ name: 'proxy', check }] })
  return made.from
}

test('a proxy that nobody told of is seen by what it forwards: told once in the log, and in /ready from then on', async () => {
  server = await watching()
  expect((await ask(server, '10.0.0.1')).json().checks.proxy).toEqual({ ok: true })
  // Anybody can send this header: only a neighbour is believed to be a proxy.
  await ask(server, '8.8.8.8', { 'x-forwarded-for': '1.2.3.4' })
  expect(server.observed).toEqual([])
  for (let i = 0; i < 3; i += 1) await ask(server, '10.0.0.1', { 'x-forwarded-for': '1.2.3.4' })
  expect(server.observed).toEqual([{ kind: 'http.unknown_proxy', message: expect.stringContaining('TRUST_PROXY is unset') }])
  // The checks are made once a second at most.
  server.clock.advance(1_000)
  expect((await ask(server, '10.0.0.1')).json().checks.proxy.note).toContain('TRUST_PROXY is unset')
})

test('a proxy that is trusted is nothing to tell', async () => {
  server = await testServer({ trustProxy: ['10.0.0.0/8'] })
  await ask(server, '10.0.0.1', { 'x-forwarded-for': '1.2.3.4' })
  expect(server.observed).toEqual([])
})

test('every answer of an installation with an https address says that it is never to be reached in the clear', async () => {
  server = await testServer({ isSecure: true })
  for (const url of ['/health', '/v1/messages', '/nothing'])
    expect((await server.app.inject({ url })).headers['strict-transport-security']).toBe('max-age=31536000')
  await server.app.close()
  server = await testServer()
  expect((await server.app.inject({ url: '/health' })).headers['strict-transport-security']).toBeUndefined()
})
