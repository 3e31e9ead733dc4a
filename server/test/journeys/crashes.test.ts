import { randomUUID } from 'node:crypto'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { formatId, type Uuid } from '../../src/base/id.ts'
import { type Api, apiOf } from '../support/processes/api.ts'
import { letPeopleWrite, makeBusiness, registerWebhook, textTo } from '../support/processes/business.ts'
import { newDataDir, postmasterOf, removeDataDirs } from '../support/processes/data-dir.ts'
import { type EventReceiver, startEventReceiver } from '../support/processes/event-receiver.ts'
import { brokenPromises, missingEvents, repeatedEvents, untilSettled } from '../support/processes/fates.ts'
import { freePort, type GatewayProcess, startGatewayProcess, stopMsMax } from '../support/processes/gateway-process.ts'
import { type Load, type Loads, openLoads } from '../support/processes/load.ts'
import { childrenOf, endPrograms, kill } from '../support/processes/program.ts'
import { bundledConnection, rowsOf } from '../support/processes/rows.ts'
import { type SimulatorProcess, startSimulatorProcess } from '../support/processes/simulator-process.ts'
import { until } from '../support/processes/until.ts'

const events = '/events'
const testMsMax = 150_000
const settledMsMax = 90_000
const freezeMs = 30_000
/** The log is written some moments later, and not at once. */
const logMsMax = 10_000
/** Looking up the key waits for a database that hangs for up to 30 s, and accepting the send for 10 s. */
const answerMsMax = 45_000

// One gateway with its own database under load; upstream and the customer are programs that live on when it does not.
describe('nothing that was accepted is lost or sent twice', () => {
  let dataDir = ''
  let settings: Record<string, string>
  let receiver: EventReceiver
  let simulator: SimulatorProcess
  let gateway: GatewayProcess
  let people: string[]
  let api: Api
  let loads: Loads
  let acceptedBefore = 0

  beforeAll(async () => {
    dataDir = await newDataDir()
    receiver = await startEventReceiver()
    simulator = await startSimulatorProcess(dirname(dataDir), ['--answer-delay', '300', '--notice-batch', '10'])
    settings = {
      ...simulator.settings,
      DATA_DIR: dataDir,
      // Upstream and the load must find the gateway again after its restart.
      PORT: String(await freePort()),
      ALLOW_PRIVATE_WEBHOOKS: 'true',
      RATE_LIMIT_PER_KEY: '1000000',
      RATE_LIMIT_PER_ACCOUNT: '1000000',
    }
    gateway = await startGatewayProcess(settings)
    await simulator.command('callback', { url: `${gateway.url}/upstream/notices` })
    api = apiOf(gateway.url, (await makeBusiness(settings)).key)
    loads = openLoads(api)
    await registerWebhook(api, receiver, events)
    people = await letPeopleWrite(api, simulator, 90)
  }, testMsMax)
  beforeEach(async () => {
    acceptedBefore = await simulator.accepted()
  })
  afterEach(() => loads.endAll())
  afterAll(async () => {
    await endPrograms()
    await receiver.close()
    await removeDataDirs()
  })

  // rule: queue 1
  test('when the gateway is killed with sends, notices and events under way', { timeout: testMsMax }, async () => {
    // A second customer, who takes an event and never answers: that attempt is surely under way at the kill.
    const held = `/held/${randomUUID()}`
    const webhookId = await registerWebhook(api, receiver, held)
    receiver.answer(held, () => {})
    // So many people that hardly one is written to twice: whoever was being written to at the kill is left in peace for a minute.
    const load = loads.start(people.slice(0, 60), 'kill')
    await acceptedMore(20)
    await until('an event is under way', () => receiver.receipts().some((each) => each.path === held), 10_000)
    const postmaster = await postmasterOf(dataDir)
    expect(await gateway.program.end('SIGKILL', stopMsMax)).toMatchObject({ signal: 'SIGKILL' })
    const killedAtMs = Date.now()
    expect(await postmasterOf(dataDir)).toBe(postmaster)
    // Answers are slow, so there are statuses of which nobody has heard; upstream comes again with them.
    await until('notices were not taken', async () => (await simulator.noticesAnswered()).get('none') ?? null, 10_000)
    receiver.answer(held, (response) => response.writeHead(204).end())

    gateway = await startGatewayProcess(settings)
    await gateway.program.printed(new RegExp(`"kind":"postgres_adopted","pid":${postmaster}\\b`), logMsMax)
    acceptedBefore = await simulator.accepted()
    await acceptedMore(10)
    await judge(load)
    expect(load.broken()).toBeGreaterThan(0)

    await until('the event that was held has come again', () => repeatedEvents(receiver.receipts(), held).length > 0, 20_000)
    // Only what was under way at the kill comes twice, and then with the same bytes.
    const repeated = [events, held].flatMap((path) => repeatedEvents(receiver.receipts(), path))
    expect(repeated.filter((each) => each.atMs.length > 2 || each.bodies.size > 1 || Math.min(...each.atMs) > killedAtMs)).toEqual([])
    expect((await api.delete(`/v1/webhooks/${webhookId}`)).status).toBe(200)
  })

  test('when PostgreSQL is killed under load: it comes back by itself', { timeout: testMsMax }, async () => {
    const repeatedBefore = repeatedEvents(receiver.receipts(), events).length
    const load = loads.start(people.slice(60, 75), 'database')
    await acceptedMore(20)
    const killed = (await postmasterOf(dataDir)) ?? 0
    kill(killed, 'SIGKILL')
    const another = async () => ![null, killed].includes(await postmasterOf(dataDir))
    await until('another PostgreSQL serves', another, 30_000)
    await untilReady()
    acceptedBefore = await simulator.accepted()
    await acceptedMore(10)
    await judge(load)
    expect(load.broken()).toBe(0)
    // The gateway lived on, and knew what it had delivered.
    expect(repeatedEvents(receiver.receipts(), events)).toHaveLength(repeatedBefore)
  })

  test('when PostgreSQL hangs for half a minute: the gateway refuses in words and goes on', { timeout: testMsMax }, async () => {
    const [person = '', ...others] = people.slice(75)
    const load = loads.start(others, 'hang')
    await acceptedMore(10)
    const { thawed } = await freezePostgres(freezeMs)
    try {
      const ready = await timed(() => api.get('/ready'))
      expect(ready).toMatchObject({ status: 503, body: { checks: { database: { ok: false } } } })
      expect(ready.ms).toBeLessThan(5_000)
      const [notice, send] = await Promise.all([
        simulator.command('inbound', { from: person, text: 'no meio' }),
        timed(() => api.post('/v1/messages', textTo(person, 'no meio'))),
      ])
      // Told in time to come again, which upstream does by itself.
      expect(notice).toMatchObject({ status: 503 })
      console.log(`a send while PostgreSQL hangs: ${send.status} after ${Math.round(send.ms)} ms`)
      expect(send).toMatchObject({ status: 500, body: { error: { code: 'internal_error' } } })
      expect(send.ms).toBeLessThan(answerMsMax)
    } finally {
      await thawed
    }
    await untilReady()
    await judge(load)
    expect(load.failures.length).toBeGreaterThan(0)
    expect(load.failures.filter((each) => each.ms > answerMsMax)).toEqual([])
    const written = async () => (await api.get(`/v1/messages?direction=inbound&phone=${person}`)).body.data.length === 2
    await until('the notice that was refused has come again', written, 30_000)
    await gateway.program.printed(/"readiness\.changed"/, logMsMax)
  })

  const acceptedMore = (count: number) =>
    until(`upstream has accepted ${count} more`, async () => (await simulator.accepted()) >= acceptedBefore + count, 60_000)

  const untilReady = () => until('the gateway is ready', async () => (await api.get('/ready')).status === 200, 30_000)

  /** Ends the load, and says what is always true then: each wanted send is one message, with a fate that keeps the promise and all its events. */
  async function judge(load: Load): Promise<void> {
    const wanted = await loads.end(load)
    for (const { answer } of load.failures) expect(answer).toMatchObject({ status: 500, body: { error: { code: 'internal_error' } } })
    const fates = await untilSettled(api, simulator, { msMax: settledMsMax, excused: unknownSends })
    expect(brokenPromises(fates)).toEqual([])
    expect(fates).toHaveLength(wanted)
    const missing = () => missingEvents(fates, receiver.receipts(), events)
    await until('all events have come', () => missing().length === 0, 30_000).catch(() => {})
    expect(missing()).toEqual([])
  }

  /**
   * Sends whose intent was written and of which upstream never heard, because the gateway was killed in between: they are not
   * sent again, but wait for a notice until their time is over, and what goes to the same person waits behind them.
   */
  async function unknownSends(): Promise<string[]> {
    const rows = await rowsOf<{ message_id: Uuid }>(
      await bundledConnection(dataDir),
      'select message_id from send_queue where contact_id in (select contact_id from send_queue where state = 2)',
    )
    return rows.map((row) => formatId('msg', row.message_id))
  }

  /** Stops PostgreSQL as a machine that swaps does, the parent first, so that no new process escapes. Answers what resolves once it goes on. */
  async function freezePostgres(ms: number): Promise<{ thawed: Promise<void> }> {
    const postmaster = (await postmasterOf(dataDir)) ?? 0
    kill(postmaster, 'SIGSTOP')
    const pids = [postmaster, ...(await childrenOf(postmaster))]
    for (const pid of pids) kill(pid, 'SIGSTOP')
    const thawed = sleep(ms).then(() => {
      for (const pid of pids) kill(pid, 'SIGCONT')
    })
    return { thawed }
  }
})

async function timed<Value extends object>(work: () => Promise<Value>): Promise<Value & { ms: number }> {
  const startedMs = performance.now()
  const value = await work()
  return { ...value, ms: performance.now() - startedMs }
}
