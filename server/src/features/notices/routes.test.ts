import { createHmac } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import { manualClock } from '../../base/clock.ts'
import { testServer } from '../../platform/http/test-server.ts'
import { type NoticeRouteObservation, noticeRoutes } from './routes.ts'
import type { RawNotice } from './store.ts'

const secret = 'app-secret'
const body = '{"object":"whatsapp_business_account","entry":[]}'

let close: () => Promise<void>
afterEach(() => close())

/** The route before a database that the test plays: `answered` fills once upstream has its answer. */
async function posted(keep: (notice: RawNotice) => Promise<void>) {
  const observed: NoticeRouteObservation[] = []
  const { app } = await testServer({
    beside: (server) =>
      noticeRoutes(server, {
        clock: { now: () => new Date() } as never,
        keep,
        appSecrets: [secret],
        verifyToken: null,
        observe: (each) => observed.push(each),
      }),
  })
  close = () => app.close()
  const answered: number[] = []
  const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
  const headers = { 'content-type': 'application/json', 'x-hub-signature-256': signature }
  const answer = app.inject({ method: 'POST', url: '/upstream/notices', headers, payload: body }).then((response) => {
    answered.push(response.statusCode)
    return response
  })
  return { answered, answer, observed }
}

// rule: receive 1
test('a notice is answered only once it is kept', async () => {
  const asked = Promise.withResolvers<RawNotice>()
  const kept = Promise.withResolvers<void>()
  const { answered, answer } = await posted((notice) => {
    asked.resolve(notice)
    return kept.promise
  })
  expect((await asked.promise).body.toString()).toBe(body)
  // Whoever answers without waiting has done so within these turns: nothing else is left to be done.
  for (let turn = 0; turn < 50; turn += 1) await new Promise<void>((resolve) => setImmediate(resolve))
  expect(answered).toEqual([])
  kept.resolve()
  expect((await answer).statusCode).toBe(200)
})

// rule: receive 1
test('a notice that could not be kept is answered 503, so that upstream comes again', async () => {
  const { answer, observed } = await posted(() => Promise.reject(new Error('the database is away')))
  const response = await answer
  expect([response.statusCode, response.headers['retry-after']]).toEqual([503, '5'])
  expect(observed).toEqual([{ kind: 'notices.not_kept', message: 'the database is away' }])
})

test('a notice that is kept at once is answered 200, without words', async () => {
  const { answer } = await posted(async () => {})
  const response = await answer
  expect([response.statusCode, response.body]).toEqual([200, ''])
})

test('after sixty wrong signatures of a network no body of it is read for a minute; one that has signed rightly is not held up', async () => {
  const clock = manualClock('2026-03-02T12:00:00Z')
  const { app } = await testServer({
    beside: (server) => noticeRoutes(server, { clock, keep: async () => {}, appSecrets: [secret], verifyToken: null, observe: () => {} }),
  })
  close = () => app.close()
  const post = async (remoteAddress: string, signed: boolean) => {
    const signature = `sha256=${createHmac('sha256', signed ? secret : 'another')
      .update(body)
      .digest('hex')}`
    const headers = { 'content-type': 'application/json', 'x-hub-signature-256': signature }
    const { statusCode, headers: told } = await app.inject({
      method: 'POST',
      url: '/upstream/notices',
      remoteAddress,
      headers,
      payload: body,
    })
    return [statusCode, told.connection]
  }
  const [stranger, upstream] = ['192.0.2.1', '198.51.100.1']
  expect(await post(upstream, true)).toEqual([200, 'keep-alive'])
  for (const from of [stranger, upstream]) for (let i = 0; i < 61; i += 1) expect(await post(from, false)).toEqual([401, 'keep-alive'])
  // Not even a right one is looked at.
  expect(await post(stranger, true)).toEqual([401, 'close'])
  expect(await post(upstream, true)).toEqual([200, 'keep-alive'])
  clock.advance(60_000)
  expect(await post(stranger, true)).toEqual([200, 'keep-alive'])
})
