import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, describe, expect, onTestFailed, test } from 'vitest'
import { type TestDatabase, testDatabase, urlOf } from '../support/database.ts'
import { type Api, apiOf } from '../support/processes/api.ts'
import { registerWebhook, textTo } from '../support/processes/business.ts'
import { newDataDir, removeDataDirs } from '../support/processes/data-dir.ts'
import { type EventReceiver, startEventReceiver } from '../support/processes/event-receiver.ts'
import { startGatewayProcess } from '../support/processes/gateway-process.ts'
import { endPrograms, type Program } from '../support/processes/program.ts'
import { rowsOf } from '../support/processes/rows.ts'
import { until } from '../support/processes/until.ts'
import { readWelcome } from '../support/processes/welcome.ts'

/** The ending says that this message stays sent: one event and no more. */
const staysSent = '5511900000001'
const deadlineMs = 10_000

type Attempt = {
  path: string
  n: number
  manual: boolean
  ms: number
  status_code: number | null
  error: string | null
  response_head: string
  status: string
  next_in_ms: number | null
}

// One event, and seven receivers who each take it in their own way.
describe('receivers of all kinds', () => {
  let database: TestDatabase
  let receiver: EventReceiver
  let api: Api
  let testApi: Api
  let sentId = ''
  let program: Program
  const dripping: NodeJS.Timeout[] = []

  const ways: Record<string, (response: ServerResponse) => void> = {
    '/hangs': () => {},
    '/answers-500': (response) => response.writeHead(500).end('out of order'),
    '/drips-its-headers': ({ socket }) => {
      socket?.write('HTTP/1.1 200 OK\r\nX-Slow: ')
      dripping.push(setInterval(() => socket?.write('.'), 100))
    },
    '/drips-its-body': (response) => {
      response.writeHead(200)
      dripping.push(setInterval(() => response.write('.'), 100))
    },
    '/never-closes': (response) => response.writeHead(200, { 'content-length': '1000' }).write('taken'),
    '/redirects': (response) => response.writeHead(302, { location: receiver.urlOf('/elsewhere') }).end(),
  }

  beforeAll(async () => {
    database = await testDatabase()
    receiver = await startEventReceiver()
    const gateway = await startGatewayProcess({
      DATA_DIR: await newDataDir(),
      DATABASE_URL: urlOf(database.connection),
      SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    })
    program = gateway.program
    const { liveKey, testKey } = readWelcome(gateway.program.stdout())
    api = apiOf(gateway.url, liveKey ?? '')
    testApi = apiOf(gateway.url, testKey ?? '')
    for (const [path, way] of Object.entries(ways)) receiver.answer(path, way)
    // The demo person has just written, which may be told at any moment: these want to hear of sends only.
    for (const path of [...Object.keys(ways), '/healthy']) await registerWebhook(api, receiver, path, ['message.sent'])
  }, 90_000)
  afterAll(async () => {
    for (const each of dripping) clearInterval(each)
    await receiver.close()
    await endPrograms()
    await removeDataDirs()
    await database.close()
  })

  test('a healthy one gets its event at once, whatever the others do', async () => {
    const sent = await testApi.post('/v1/messages', textTo(staysSent, 'Oi!'))
    expect(sent.status).toBe(202)
    sentId = sent.body.id
    const taken = await until(
      'the healthy receiver has the event',
      () => receiver.receipts().find((each) => each.path === '/healthy') ?? null,
      8_000,
    )
    expect(taken.event).toMatchObject({ type: 'message.sent', livemode: false, data: { id: sentId, status: 'sent' } })
    // By then the others were told too, and none has been recorded that is still open.
    await until('all were called', () => new Set(receiver.receipts().map((each) => each.path)).size === 7, 5_000)
  })

  test('each answer is one attempt in the history, with the right outcome, and the failed ones are tried again', {
    timeout: 60_000,
  }, async () => {
    onTestFailed(() => console.log(linesAbout(program.stdout(), /webhook|shards|tick_failed/)))
    const found = await until(
      'seven attempts are recorded',
      async () => {
        const rows = await attempts()
        return new Set(rows.map((each) => each.path)).size === 7 && rows
      },
      deadlineMs + 20_000,
    )
    const of = (path: string) => found.find((each) => each.path === path)
    const again = { status: 'pending', n: 1, manual: false }
    const done = { status: 'succeeded', n: 1, next_in_ms: null, error: null }
    expect(of('/healthy')).toMatchObject({ ...done, status_code: 204 })
    // Success counts at the headers.
    expect(of('/drips-its-body')).toMatchObject({ ...done, status_code: 200 })
    expect(of('/never-closes')).toMatchObject({ ...done, status_code: 200, response_head: 'taken' })
    expect(of('/answers-500')).toMatchObject({ ...again, status_code: 500, error: null, response_head: 'out of order' })
    expect(of('/redirects')).toMatchObject({ ...again, status_code: 302, error: null })
    for (const path of ['/hangs', '/drips-its-headers']) {
      expect(of(path)).toMatchObject({ ...again, status_code: null, error: 'timeout' })
      expect(of(path)?.ms).toBeGreaterThanOrEqual(deadlineMs - 50)
      expect(of(path)?.ms).toBeLessThan(deadlineMs + 3_000)
    }
    // The first rung of the ladder is a minute, and at most 2 % late.
    for (const { status, next_in_ms } of found.filter((each) => each.status === 'pending')) {
      expect([status, next_in_ms]).toEqual(['pending', expect.any(Number)])
      expect(next_in_ms).toBeGreaterThanOrEqual(60_000)
      expect(next_in_ms).toBeLessThan(63_500)
    }
  })

  test('a redirect is not followed, and everyone was called exactly once', async () => {
    onTestFailed(() => console.log(linesAbout(program.stdout(), /webhook|shards|tick_failed/)))
    const paths = receiver.receipts().map((each) => each.path)
    expect(paths.toSorted()).toEqual(['/healthy', ...Object.keys(ways)].toSorted())
  })

  /** Every attempt with what is to come; `path` is that of its receiver. `next_in_ms` counts from the end of the attempt. */
  const attempts = () =>
    rowsOf<Attempt>(
      database.connection,
      `select substring(webhook.url from '/[^/]+$') as path, n, manual, ms, status_code, error, response_head, delivery.status,
        extract(epoch from next_at - started_at) * 1000 - ms as next_in_ms
      from delivery_attempt
      join delivery on delivery.account_id = delivery_attempt.account_id and delivery.id = delivery_attempt.delivery_id
      join webhook on webhook.account_id = delivery.account_id and webhook.id = delivery.webhook_id`,
    ).then((rows) => rows.map((row) => ({ ...row, next_in_ms: row.next_in_ms === null ? null : Number(row.next_in_ms) })))
})

const linesAbout = (log: string, kind: RegExp) =>
  log
    .split('\n')
    .filter((line) => kind.test(line))
    .join('\n')
