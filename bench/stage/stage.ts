import { Pool } from 'pg'
import { systemClock } from '../../server/src/base/clock.ts'
import type { SecretKey } from '../../server/src/base/seal.ts'
import { type Database, openDatabase } from '../../server/src/platform/database/database.ts'
import { createGraph, type Graph } from '../../server/src/platform/upstream/graph.ts'
import { secretKeyIn } from '../../server/src/secret-key.ts'
import { newDataDir } from '../../server/test/support/processes/data-dir.ts'
import { bundledConnection } from '../../server/test/support/processes/rows.ts'
import { until } from '../../server/test/support/processes/until.ts'
import { atTheEnd } from './end-everything.ts'
import { type RunningGateway, startGateway } from './gateway.ts'
import type { Address } from './postgres.ts'
import { type BenchSimulator, startSimulator } from './simulator.ts'

/** A gateway with the PostgreSQL that it brings along, and a simulated platform beside it; each a process of its own. */
export type Stage = {
  dataDir: string
  gateway: RunningGateway
  simulator: BenchSimulator
  /** For the operations of the features. */
  deps: { database: Database; clock: ReturnType<typeof systemClock>; graph: Graph; secretKey: SecretKey }
  sql<Row>(text: string, values?: readonly unknown[]): Promise<Row[]>
  /** Waits until nothing is on its way upstream and every notice was worked through. */
  quiet(): Promise<void>
  /** Ends all of it; the data directory stays until the end. */
  close(): Promise<void>
}

/** The contract's limits are lifted by the settings that are there for it; everything else is as it comes. */
const lifted = { RATE_LIMIT_PER_KEY: '1000000000', RATE_LIMIT_PER_ACCOUNT: '1000000000', ALLOW_PRIVATE_WEBHOOKS: 'true' }
const quietMsMax = 300_000

type StageOptions = {
  /** One that is there already is used, and left running. */
  simulator?: BenchSimulator
  dataDir?: string
}

/** Starts them, on a directory that is new unless one is named, and resolves when the gateway answers. */
export async function openStage(options: StageOptions = {}): Promise<Stage> {
  const dataDir = options.dataDir ?? (await newDataDir())
  const simulator = options.simulator ?? (await startSimulator())
  const gateway = await startGateway({ ...lifted, ...simulator.settings, DATA_DIR: dataDir })
  await simulator.command('callback', { url: `${gateway.url}/upstream/notices` })
  const address = await bundledConnection(dataDir)
  const clock = systemClock()
  const database = openDatabase({ connection: address as Address, clock, observe: () => {}, connectionsMax: 4, queryMsMax: 600_000 })
  const graph = createGraph({ clock, baseUrl: simulator.url, version: 'v25.0', concurrentMax: 8 })
  // No limit on time, for what is written in one great statement.
  const pool = new Pool({ ...address, ssl: false, max: 2 })
  pool.on('error', () => {})
  const sql = async <Row>(text: string, values: readonly unknown[] = []) => (await pool.query(text, [...values])).rows as Row[]
  const close = atTheEnd(async () => {
    await Promise.all([database.close(), pool.end(), graph.close()])
    await gateway.stop()
    if (options.simulator === undefined) await simulator.program.end('SIGKILL', 10_000)
  })
  const deps = { database, clock, graph, secretKey: await secretKeyIn(dataDir) }
  const isQuiet = async () => {
    const [row] = await sql<{ busy: boolean }>(
      'select exists (select from send_queue where state < 2) or exists (select from inbox where state = 0) as busy',
    )
    return row?.busy === false
  }
  return {
    ...{ dataDir, gateway, simulator, deps, sql, close },
    async quiet() {
      await until('the simulator has told everything', async () => (await settled(simulator.url)) && (await isQuiet()), quietMsMax)
    },
  }
}

async function settled(url: string): Promise<boolean> {
  const response = await fetch(`${url}/_sim/settled?timeoutMs=60000`)
  await response.arrayBuffer()
  return response.status === 200
}
