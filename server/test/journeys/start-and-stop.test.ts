import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { builtOf } from '../../../tools/built.mjs'
import { type TestDatabase, testDatabase, urlOf } from '../support/database.ts'
import { newDataDir, removeDataDirs } from '../support/processes/data-dir.ts'
import { type GatewayProcess, startGatewayProcess, startRefused, stopMsMax } from '../support/processes/gateway-process.ts'
import { endPrograms } from '../support/processes/program.ts'
import { cpuSeconds, emptyFastifyCpuSeconds, longestStallMs } from '../support/processes/start-cost.ts'
import { until } from '../support/processes/until.ts'
import { sql } from '../support/stage.ts'

/** It was 20 once. As it was built 2.5 are usual, from the source 4.5; a busy machine makes both half as much again. */
const startRatioMax = builtOf('server/src/main.ts') === null ? 8 : 4
/** An eighth of a second where an empty Fastify needs a quarter: the same machine, as slow as it is now. Unpieced, routes and the first schemas took 0.7. */
const stallRatioMax = 0.5

// Told in order: one gateway for everything, and beside it those that are refused, one that only works, and one that drains.
describe('the start and the stop of a process on a database that others use', { timeout: 180_000 }, () => {
  let own: TestDatabase
  let settings: Record<string, string>
  let first: GatewayProcess

  beforeAll(async () => {
    own = await testDatabase()
    settings = {
      DATA_DIR: await newDataDir(),
      DATABASE_URL: urlOf(own.connection),
      SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
      META_APP_SECRET: 'app-secret',
      META_GRAPH_URL: 'http://127.0.0.1:9',
    }
    first = await startGatewayProcess(settings)
  }, 120_000)
  afterAll(async () => {
    await endPrograms()
    await own.close()
    await removeDataDirs()
  })

  const shards = () => sql<{ owner: string; epoch: number }>(own.database, 'select shard, owner, epoch from shard order by shard')
  /** Those of the one process that is left, once what others gave back is its own again. */
  const shardsAtRest = () =>
    until(
      'one process has all shards',
      async () => {
        const all = await shards()
        return new Set(all.map((each) => each.owner)).size === 1 ? all : null
      },
      20_000,
    )
  const statusOf = async (url: string) => {
    const answered = await fetch(url)
    return [answered.status, (await answered.json()) as { status: string }] as const
  }

  // By CPU and not by time, as a multiple of what an empty Fastify needs on the same machine: how busy it is hardly matters.
  test('a start costs few times the CPU of an empty Fastify’s, and nothing in it stalls the event loop for long', async () => {
    const { program, url } = await startGatewayProcess(settings)
    const ours = await cpuSeconds(program.pid)
    const stallMs = await longestStallMs(url)
    await program.end('SIGTERM', stopMsMax)
    const empty = Math.min(await emptyFastifyCpuSeconds(), await emptyFastifyCpuSeconds())
    console.log(`a start: ${ours} s of CPU, an empty Fastify: ${empty} s, longest stall ${Math.round(stallMs)} ms`)
    expect(ours / empty).toBeLessThan(startRatioMax)
    // Compiled at the start, as they were, the schemas stalled it for 3 s.
    expect(stallMs / (empty * 1_000)).toBeLessThan(stallRatioMax)
  })

  test('whoever finds its port taken says which, and has taken no shard', async () => {
    const before = await shardsAtRest()
    const { port } = new URL(first.url)
    const refused = await startRefused({ ...settings, PORT: port })
    expect(refused.code).toBe(1)
    expect(refused.words).toBe(`The port ${port} is taken by another program. Set PORT to a free one: PORT=${Number(port) + 1} npm start`)
    expect(refused.printed).not.toContain('lane.tick_failed')
    expect(await shards()).toEqual(before)
  })

  test('whoever has another SECRET_KEY is refused in a sentence, and has taken no shard', async () => {
    const before = await shardsAtRest()
    const refused = await startRefused({ ...settings, SECRET_KEY: Buffer.alloc(32, 8).toString('base64') })
    expect(refused.code).toBe(1)
    expect(refused.words).toMatch(/^SECRET_KEY is not the key that [^\n]+\.$/)
    expect(await shards()).toEqual(before)
  })

  test('a process with the role worker alone answers /health, /ready and /metrics, and nothing else', async () => {
    const worker = await startGatewayProcess({ ...settings, ROLES: 'worker' })
    expect(await statusOf(`${worker.url}/health`)).toEqual([200, { status: 'ok' }])
    expect(await statusOf(`${worker.url}/ready`)).toMatchObject([
      200,
      { checks: { database: { ok: true }, lease: { ok: true }, loops: { ok: true } } },
    ])
    const metrics = await (await fetch(`${worker.url}/metrics`)).text()
    for (const line of [/^pombo_lease_held 1$/m, /^pombo_work_failing_seconds 0$/m, /^pombo_event_loop_longest_stall_seconds [\d.]+$/m])
      expect(metrics).toMatch(line)
    for (const path of ['/openapi.json', '/docs', '/console/api/me', '/upstream/notices'])
      expect((await fetch(worker.url + path)).status, path).toBe(404)
    expect(await worker.program.end('SIGTERM', stopMsMax)).toEqual({ code: 0, signal: null })
  })

  test('whoever is asked to stop says so at /ready while it goes on, until it is asked again; then its shards are free', async () => {
    const { program, url } = await startGatewayProcess({ ...settings, DRAIN_SECONDS: '120' })
    expect((await statusOf(`${url}/ready`))[0]).toBe(200)
    program.signal('SIGTERM')
    await until('/ready says 503', async () => (await statusOf(`${url}/ready`))[0] === 503, stopMsMax)
    const [status, body] = await statusOf(`${url}/ready`)
    expect([status, body.status]).toEqual([503, 'draining'])
    expect((await fetch(`${url}/v1/channels`)).headers.get('connection')).toBe('close')
    expect((await statusOf(`${url}/health`))[0]).toBe(200)
    expect(await program.end('SIGTERM', stopMsMax)).toEqual({ code: 0, signal: null })
    expect(await first.program.end('SIGTERM', stopMsMax)).toEqual({ code: 0, signal: null })
    expect((await shards()).filter(({ owner }) => owner !== null)).toEqual([])
    expect(await sql(own.database, 'select id from process')).toEqual([])
  })
})
