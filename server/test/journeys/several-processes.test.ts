import { dirname } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { parseId } from '../../src/base/id.ts'
import { type BundledPostgres, startBundledPostgres } from '../../src/platform/database/bundled/start.ts'
import { shardOf } from '../../src/platform/lanes/shard.ts'
import { urlOf } from '../support/database.ts'
import { type Api, apiOf } from '../support/processes/api.ts'
import { type Business, letPeopleWrite, makeBusiness, registerWebhook, textTo } from '../support/processes/business.ts'
import { newDataDir, removeDataDirs } from '../support/processes/data-dir.ts'
import { type EventReceiver, startEventReceiver } from '../support/processes/event-receiver.ts'
import { environment, gatewayMain, startGatewayProcess, startMsMax, startRefused, stopMsMax } from '../support/processes/gateway-process.ts'
import { endPrograms, type Program, startProgram } from '../support/processes/program.ts'
import { rowsOf } from '../support/processes/rows.ts'
import { type SimulatorProcess, startSimulatorProcess } from '../support/processes/simulator-process.ts'
import { until } from '../support/processes/until.ts'

/** What the design promises: a lease of ten seconds, and then some. */
const takeoverMsMax = 15_000

// Told in order: one process for the API, two for the work, on a PostgreSQL that is none of theirs.
describe('several processes on one database', { timeout: 120_000 }, () => {
  let postgres: BundledPostgres
  let simulator: SimulatorProcess
  let receiver: EventReceiver
  let settings: Record<string, string>
  let api: Api
  let business: Business
  let person = ''
  const workers: Program[] = []

  beforeAll(async () => {
    const dataDir = await newDataDir()
    const clock = systemClock()
    ;[postgres, simulator, receiver] = await Promise.all([
      startBundledPostgres({ clock, observe: () => {} }, { dataDir, settings: { fsync: 'off' } }),
      startSimulatorProcess(dirname(dataDir)),
      startEventReceiver(),
    ])
    settings = {
      ...simulator.settings,
      DATA_DIR: `${dataDir}-of-the-gateways`,
      DATABASE_URL: urlOf(postgres.connection),
      SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
      ALLOW_PRIVATE_WEBHOOKS: 'true',
    }
  }, 90_000)
  afterAll(async () => {
    await endPrograms()
    await receiver.close()
    await postgres.stop()
    await removeDataDirs()
  })

  test('without SECRET_KEY none of them starts: each would seal with a key of its own', async () => {
    const { SECRET_KEY: _key, ...without } = settings
    const refused = await startRefused(without)
    expect(refused.code).toBe(1)
    expect(refused.words).toMatch(/^The settings are not right:\n +SECRET_KEY must be set with DATABASE_URL[^\n]+$/)
  })

  test('two that start at once on an empty database: the migrations are applied once', async () => {
    const [gateway] = await Promise.all([startGatewayProcess({ ...settings, ROLES: 'api' }), startWorker()])
    const applied = await rowsOf<{ name: string }>(postgres.connection, 'select name from schema_migration order by name')
    expect(applied.length).toBeGreaterThanOrEqual(9)
    expect(new Set(applied.map((each) => each.name)).size).toBe(applied.length)
    await simulator.command('callback', { url: `${gateway.url}/upstream/notices` })
    business = await makeBusiness(settings)
    api = apiOf(gateway.url, business.key)
    expect((await api.get('/ready')).body.checks.shared_limits).toMatchObject({ ok: true })
  })

  test('a send that one accepts leaves through the other, and its events come', async () => {
    await registerWebhook(api, receiver, '/events')
    ;[person = ''] = await letPeopleWrite(api, simulator, 1)
    const sent = await api.post('/v1/messages', textTo(person, 'Oi!'))
    expect(sent.status).toBe(202)
    await receiver.waitFor({ type: 'message.read', messageId: sent.body.id }, 20_000)
    expect((await simulator.acceptances()).get(sent.body.id)).toBe(1)
  })

  test('another worker takes its half; when the owner of a number is killed, the other sends for it', async () => {
    await startWorker()
    await until(
      'the shards are shared out',
      async () => (await owners()).every((each) => each.shards === 128) && (await owners()).length === 2,
      30_000,
    )
    const owner = await ownerOfNumber()
    expect(await owner.end('SIGKILL', stopMsMax)).toMatchObject({ signal: 'SIGKILL' })
    const killedMs = performance.now()
    const before = await simulator.accepted()
    const sent = await api.post('/v1/messages', textTo(person, 'Ainda aí?'))
    expect(sent.status).toBe(202)
    const taken = async () => (await ownerOfNumber().catch(() => owner)) !== owner
    await until('the other owns the number', taken, takeoverMsMax - (performance.now() - killedMs))
    console.log(`takeover: ${Math.round(performance.now() - killedMs)} ms`)
    await until('the send has left', async () => (await simulator.accepted()) > before, 10_000)
    await receiver.waitFor({ type: 'message.read', messageId: sent.body.id }, 20_000)
    expect((await simulator.acceptances()).get(sent.body.id)).toBe(1)
  })

  test('a worker that is stopped cleanly gives its shards back', async () => {
    for (const worker of workers.splice(0)) await worker.end('SIGTERM', stopMsMax)
    expect(await rowsOf(postgres.connection, 'select shard from shard where owner is not null')).toEqual([])
  })

  async function startWorker(): Promise<void> {
    const env = environment({ ...settings, ROLES: 'worker' })
    const worker = await startProgram({ command: process.execPath, args: gatewayMain, env })
    await worker.printed(/"kind":"gateway\.ready"/, startMsMax)
    workers.push(worker)
  }

  /** Living owners and how many shards each has. */
  const owners = () =>
    rowsOf<{ pid: number; shards: number }>(
      postgres.connection,
      'select pid, count(*)::integer as shards from shard join process on process.id = shard.owner group by pid',
    )

  async function ownerOfNumber(): Promise<Program> {
    const [accountId, channelId] = [parseId('acc', business.accountId), parseId('ch', business.channelId)]
    if (accountId === null || channelId === null) throw new Error('bug: ids of our own')
    const sql = `select pid from shard join process on process.id = shard.owner where shard = ${shardOf(accountId, channelId)}`
    const [row] = await rowsOf<{ pid: number }>(postgres.connection, sql)
    const owner = workers.find((each) => each.pid === row?.pid)
    if (owner === undefined) throw new Error('no worker owns the shard of the number')
    return owner
  }
})
