import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { cpuSeconds } from '../../server/test/support/processes/start-cost.ts'
import { type Benchmark, type Effort, type Figure, judged, shown } from '../benchmark.ts'
import { makeBusinesses } from '../stage/businesses.ts'
import { postgresCpuSeconds } from '../stage/process-usage.ts'
import { startReceiver } from '../stage/receiver.ts'
import { openStage, type Stage } from '../stage/stage.ts'
import { registerWebhooks } from '../stage/webhooks.ts'

const logged = / LOG: {2}(?:execute ([^:]+)|statement): (.*)$/gm

/** E2: a gateway with accounts, numbers and webhooks, and nothing to do. PostgreSQL's own log of statements counts them. */
export const idle: Benchmark = {
  name: 'E2',
  title: 'doing nothing',
  minutes: 4,
  async run({ runs, quick }: Effort): Promise<readonly Figure[]> {
    const stage = await openStage()
    const receiver = await startReceiver()
    const businesses = await makeBusinesses(stage, { accounts: 5, numbersEach: 2, peopleEach: 10 })
    await registerWebhooks(stage, businesses, (place) => `${receiver.url}/count/${place}`)
    await stage.sql(`alter system set log_statement = 'all'`)
    await stage.sql('select pg_reload_conf()')
    await pause(quick ? 3_000 : 20_000)
    const looks: Look[] = []
    for (let run = 0; run < runs; run += 1) looks.push(await look(stage, quick ? 5 : 30))
    await stage.close()
    await receiver.end()
    const of = (name: Exclude<keyof Look, 'byName'>) => looks.map((each) => each[name])
    const names = [...new Set(looks.flatMap((each) => [...each.byName.keys()]))].sort()
    return [
      judged('queries', '/s', of('queries'), { atMost: 5 }),
      judged('gateway and PostgreSQL, of a core', '%', of('bothPercent'), { atMost: 1 }),
      shown('the gateway', '%', of('gatewayPercent')),
      shown('PostgreSQL', '%', of('postgresPercent')),
      ...names.map((name) =>
        shown(
          name,
          '/s',
          looks.map((each) => each.byName.get(name) ?? 0),
        ),
      ),
    ]
  },
}

type Look = { queries: number; byName: ReadonlyMap<string, number>; bothPercent: number; gatewayPercent: number; postgresPercent: number }

async function look({ dataDir, gateway }: Stage, seconds: number): Promise<Look> {
  const before = await usage(dataDir, gateway.pid)
  const startedMs = performance.now()
  await pause(seconds * 1_000)
  const after = await usage(dataDir, gateway.pid)
  const tookSeconds = (performance.now() - startedMs) / 1_000
  const gatewayPercent = ((after.gateway - before.gateway) * 100) / tookSeconds
  const postgresPercent = ((after.postgres - before.postgres) * 100) / tookSeconds
  const fresh = after.statements.slice(before.statements.length)
  const byName = new Map([...Map.groupBy(fresh, (name) => name)].map(([name, all]) => [name, all.length / tookSeconds]))
  return { queries: fresh.length / tookSeconds, byName, gatewayPercent, postgresPercent, bothPercent: gatewayPercent + postgresPercent }
}

async function usage(dataDir: string, pid: number) {
  const text = await readFile(join(dataDir, 'postgres.log'), 'utf8')
  const statements = [...text.matchAll(logged)].map(([, name, words = '']) => nameOf(name, words))
  if (statements.length === 0) throw new Error('PostgreSQL logs no statements: nothing could be counted.')
  return { statements, gateway: await cpuSeconds(pid), postgres: await postgresCpuSeconds(dataDir) }
}

/** A prepared statement by its name, any other by its first words. */
function nameOf(name: string | undefined, words: string): string {
  return name === undefined || name === '<unnamed>' ? words.slice(0, 40) : name
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
