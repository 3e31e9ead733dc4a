import { describe, expect, test } from 'vitest'
import { testServer } from './test-server.ts'

describe('health', () => {
  test('is 200 also while what the process needs is away: a restart would not bring it back', async () => {
    const readiness = [{ name: 'database', check: async () => ({ ok: false }) }]
    const { app } = await testServer({ readiness, dead: () => ['loop sends'] })
    const answered = await app.inject('/health')
    expect([answered.statusCode, answered.json()]).toEqual([200, { status: 'ok' }])
    await app.close()
  })

  test('is 503 with the names of what stands still for ever while the database works', async () => {
    const dead: string[] = []
    const { app } = await testServer({ readiness: [{ name: 'database', check: async () => ({ ok: true }) }], dead: () => dead })
    expect((await app.inject('/health')).statusCode).toBe(200)
    dead.push('batch sends')
    const answered = await app.inject('/health')
    expect([answered.statusCode, answered.json()]).toEqual([503, { status: 'stuck', stuck: ['batch sends'] }])
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
      { name: 'full', check: () => Promise.reject(Object.assign(new Error('ENOSPC: /var/lib/x'), { code: 'ENOSPC' })) },
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
        full: { ok: false, note: 'the disk is full' },
        silent: { ok: false, note: 'no answer within 2 seconds' },
      },
    })
    expect(server.observed).toEqual([{ kind: 'readiness.changed', ready: false, failing: ['failing', 'throwing', 'full', 'silent'] }])
    await server.app.close()
  })

  test('is looked at once a second at most, however many ask', async () => {
    let looks = 0
    const readiness = [{ name: 'database', check: async () => ({ ok: ++looks > 0 }) }]
    const { app, clock } = await testServer({ readiness })
    await Promise.all(Array.from({ length: 50 }, () => app.inject('/ready')))
    expect(looks).toBe(1)
    clock.advance(1_000)
    await app.inject('/ready')
    expect(looks).toBe(2)
    await app.close()
  })

  test('is 503 from the moment that the process is asked to stop, while requests are served and end their connections', async () => {
    const { app } = await testServer({ readiness: [{ name: 'database', check: async () => ({ ok: true }) }] })
    expect((await app.inject('/ready')).headers.connection).not.toBe('close')
    app.drain()
    const answered = await app.inject('/ready')
    expect([answered.statusCode, answered.json().status, answered.headers.connection]).toEqual([503, 'draining', 'close'])
    expect((await app.inject('/health')).statusCode).toBe(200)
    await app.close()
  })
})
