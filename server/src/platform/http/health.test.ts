import { describe, expect, test } from 'vitest'
import { testServer } from './test-server.ts'

describe('health', () => {
  test('is always 200', async () => {
    const { app } = await testServer({ readiness: [{ name: 'database', check: async () => ({ ok: false }) }] })
    const answered = await app.inject('/health')
    expect([answered.statusCode, answered.json()]).toEqual([200, { status: 'ok' }])
    await app.close()
  })
})

describe('readiness', () => {
  test('is 200 with every check named when all pass', async () => {
    const readiness = [
      { name: 'database', check: async () => ({ ok: true }) },
      { name: 'storage', check: async () => ({ ok: true, note: 'on this disk' }) },
    ]
    const { app } = await testServer({ readiness })
    const answered = await app.inject('/ready')
    expect([answered.statusCode, answered.json()]).toEqual([
      200,
      { status: 'ready', checks: { database: { ok: true }, storage: { ok: true, note: 'on this disk' } } },
    ])
    await app.close()
  })

  test('is 503 when one fails, throws (its words are not shown) or does not answer within 2 seconds', async () => {
    const readiness = [
      { name: 'fine', check: async () => ({ ok: true }) },
      { name: 'failing', check: async () => ({ ok: false, note: 'two migrations are missing' }) },
      { name: 'throwing', check: () => Promise.reject(new Error('password of pombo at 10.0.0.7')) },
      { name: 'silent', check: () => new Promise<never>(() => {}) },
    ]
    const server = await testServer({ readiness })
    const asked = server.app.inject('/ready')
    // The checks have begun once the injected request came through the event loop.
    await new Promise((resolve) => setImmediate(resolve))
    server.clock.advance(2_000)
    const answered = await asked
    expect(answered.statusCode).toBe(503)
    expect(answered.json()).toEqual({
      status: 'not_ready',
      checks: {
        fine: { ok: true },
        failing: { ok: false, note: 'two migrations are missing' },
        throwing: { ok: false, note: 'the check itself failed' },
        silent: { ok: false, note: 'no answer within 2 seconds' },
      },
    })
    expect(server.observed).toEqual([{ kind: 'readiness.changed', ready: false, failing: ['failing', 'throwing', 'silent'] }])
    await server.app.close()
  })
})
