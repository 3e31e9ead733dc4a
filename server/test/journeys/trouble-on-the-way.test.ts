import { randomUUID } from 'node:crypto'
import { Agent, request } from 'undici'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { type BundledPostgres, startBundledPostgres } from '../../src/platform/database/bundled/start.ts'
import { urlOf } from '../support/database.ts'
import { type LossyConnection, lossyConnection } from '../support/lossy-connection.ts'
import { textTo } from '../support/processes/business.ts'
import { newDataDir, removeDataDirs } from '../support/processes/data-dir.ts'
import { endPrograms } from '../support/processes/program.ts'
import { rowsOf } from '../support/processes/rows.ts'
import { startTroubledBusiness, type TroubledBusiness } from '../support/processes/troubled-business.ts'
import { until } from '../support/processes/until.ts'

const testMsMax = 240_000
/** Looking up the key waits for a connection for 5 s and for its answer for 10 s. */
const answerMsMax = 25_000
const skewMs = 600_000
const skewedWallClock = new URL('../support/processes/skewed-wall-clock.ts', import.meta.url).href

// One gateway whose PostgreSQL is somewhere else.
describe('when the way to PostgreSQL or the process itself misbehaves, the gateway lives, says so, and goes on by itself', () => {
  let postgres: BundledPostgres
  let lossy: LossyConnection
  let business: TroubledBusiness

  beforeAll(async () => {
    const dataDir = await newDataDir()
    postgres = await startBundledPostgres({ clock: systemClock(), observe: () => {} }, { dataDir, settings: { fsync: 'off' } })
    lossy = await lossyConnection(postgres.connection)
    business = await startTroubledBusiness({
      DATA_DIR: `${dataDir}-of-the-gateway`,
      DATABASE_URL: urlOf(lossy.connection),
      SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    })
  }, testMsMax)
  afterEach(() => business.endLoads())
  afterAll(async () => {
    await endPrograms()
    await business.receiver.close()
    await lossy.close()
    await postgres.stop()
    await removeDataDirs()
  })

  test('connections to PostgreSQL are half open: nothing passes and nothing is closed', { timeout: testMsMax }, async () => {
    const [person = ''] = business.people
    const load = business.load('half-open')
    await business.acceptsMore(10)
    lossy.stall()
    try {
      await business.isReady(503)
      const notice = await business.simulator.command('inbound', { from: person, text: 'no meio' })
      expect(notice).toMatchObject({ status: 503 })
      await until('a send was refused', () => load.failures.length > 0, 60_000)
    } finally {
      lossy.heal()
    }
    await business.isReady(200)
    await business.acceptsMore(10)
    await business.judge(load)
    expect(load.broken()).toBe(0)
    expect(load.failures.filter((each) => each.ms > answerMsMax)).toEqual([])
    const written = async () => (await business.api.get(`/v1/messages?direction=inbound&phone=${person}`)).body.data.length === 2
    await until('the notice that was refused has come again', written, 45_000)
  })

  test('more connections come than the process may have files open', { timeout: testMsMax }, async () => {
    await business.restart({}, 'ulimit -n 200')
    const load = business.load('files')
    await business.acceptsMore(10)
    const agent = new Agent({ connections: 500, connect: { timeout: 20_000 } })
    const statuses = await Promise.all(
      Array.from({ length: 500 }, () =>
        request(`${business.gateway().url}/health`, { dispatcher: agent, signal: AbortSignal.timeout(20_000) }).then(
          async ({ statusCode, body }) => {
            await body.dump()
            return statusCode
          },
          () => null,
        ),
      ),
    )
    await agent.destroy()
    expect(new Set(statuses)).toEqual(new Set([200, null]))
    expect(statuses.filter((each) => each === null).length).toBeGreaterThan(0)
    await business.isReady(200)
    await business.acceptsMore(10)
    await business.judge(load)
  })

  test.each([skewMs, -skewMs])(
    'the wall clock is %i ms off, and jumps: all times are those of the database',
    { timeout: testMsMax },
    async (skew) => {
      await business.restart({ NODE_OPTIONS: `--import=${skewedWallClock}`, POMBO_TEST_SKEW_MS: String(skew) })
      const load = business.load(`clock ${skew}`)
      await business.acceptsMore(10)
      business.gateway().program.signal('SIGUSR2')
      await business.gateway().program.printed(/the wall clock has jumped/, 10_000)
      // Between here and the next correction, which comes within a minute.
      const sent = await business.api.post('/v1/messages', textTo(business.people[0] ?? '', `clock ${skew}`), {
        'idempotency-key': randomUUID(),
      })
      expect(sent.status).toBe(202)
      expect(Math.abs(Date.parse(sent.body.created_at) - Date.now())).toBeLessThan(10_000)
      business.alsoWanted(1)
      await business.acceptsMore(10)
      await business.judge(load)
      expect(load.failures).toEqual([])
      const wrong = await rowsOf(
        postgres.connection,
        `select id from message where direction = 'outbound' and (abs(extract(epoch from clock_timestamp() - sent_at)) > 300)
      union all select account_id from idempotency where expires_at not between clock_timestamp() + interval '23 hours 50 minutes' and clock_timestamp() + interval '24 hours 5 seconds'
      union all select message_id from send_attempt where abs(extract(epoch from clock_timestamp() - started_at)) > 300`,
      )
      expect(wrong).toEqual([])
    },
  )
})
