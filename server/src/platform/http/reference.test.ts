import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestServer, testServer } from './test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer()
})
afterAll(() => server.app.close())

describe('the reference', () => {
  test('is drawn from our own document, by a page that may load and reach nothing else', async () => {
    expect((await server.app.inject('/docs')).headers.location).toBe('/docs/')
    const page = await server.app.inject('/docs/')
    expect(page.statusCode).toBe(200)
    expect(page.headers['content-type']).toContain('text/html')
    expect(page.body).toContain('/openapi.json')
    expect(page.body).toContain('<title>Messaging Gateway API</title>')
    expect(page.body).not.toMatch(/https?:\/\//)
    expect(page.headers['content-security-policy']).toContain("default-src 'none'")
    expect(page.headers['content-security-policy']).toContain("connect-src 'self'")
    expect(page.headers['request-id']).toMatch(/^req_/)
  })

  test('has its program from here, kept by the browser for a day', async () => {
    const script = /<script src="([^"]+)"/.exec((await server.app.inject('/docs/')).body)?.[1] ?? ''
    const answered = await server.app.inject(new URL(script, 'http://x/docs/').pathname)
    expect(answered.statusCode).toBe(200)
    expect(answered.headers['content-type']).toContain('javascript')
    expect(answered.headers['cache-control']).toBe('public, max-age=86400')
    expect(answered.rawPayload.length).toBeGreaterThan(1_000_000)
  })

  test('has nothing at other paths', async () => {
    const answered = await server.app.inject('/docs/nothing')
    expect(answered.statusCode).toBe(404)
    expect(answered.json().error.code).toBe('not_found')
  })
})
