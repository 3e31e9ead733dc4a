import { describe, expect, test } from 'vitest'
import { testServer } from './test-server.ts'

describe('/metrics with a token', () => {
  test('answers to that bearer only', async () => {
    const { app } = await testServer({ metricsToken: 'sesame' })
    const status = async (authorization?: string) =>
      (await app.inject({ url: '/metrics', headers: authorization === undefined ? {} : { authorization } })).statusCode
    expect(await status()).toBe(401)
    expect(await status('Bearer wrong')).toBe(401)
    expect(await status('Bearer sesame2')).toBe(401)
    expect(await status('Bearer sesame')).toBe(200)
    await app.close()
  })

  test('shows calls by their pattern', async () => {
    const { app } = await testServer({ metricsToken: 'sesame' })
    await app.inject('/nothing/5511987654321')
    const page = (await app.inject({ url: '/metrics', headers: { authorization: 'Bearer sesame' } })).body
    expect(page).toContain('pombo_http_request_duration_seconds_count{method="GET",route="unmatched",status="404"} 1')
    expect(page).toContain('pombo_nodejs_eventloop_lag_seconds')
    expect(page).not.toContain('5511987654321')
    await app.close()
  })
})

describe('/metrics without a token', () => {
  test.each([
    ['127.0.0.1', {}, 200],
    ['127.8.8.8', {}, 200],
    ['::1', {}, 200],
    ['::ffff:127.0.0.1', {}, 200],
    ['192.0.2.1', {}, 404],
    ['::ffff:192.0.2.1', {}, 404],
    ['127.0.0.1', { 'x-forwarded-for': '127.0.0.1' }, 404],
    ['127.0.0.1', { forwarded: 'for=127.0.0.1' }, 404],
  ])('from %s with %j: %i', async (remoteAddress, headers, status) => {
    const { app } = await testServer({ trustProxy: ['127.0.0.1'] })
    expect((await app.inject({ url: '/metrics', remoteAddress, headers })).statusCode).toBe(status)
    await app.close()
  })
})
