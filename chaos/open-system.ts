import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { ClientConfig } from 'pg'
import { systemClock } from '../server/src/base/clock.ts'
import { startBundledPostgres } from '../server/src/platform/database/bundled/start.ts'
import { newDataDir, postmasterOf } from '../server/test/support/processes/data-dir.ts'
import { freePort } from '../server/test/support/processes/gateway-process.ts'
import { bundledConnection } from '../server/test/support/processes/rows.ts'
import { startFaultProxy } from './fault-proxy.ts'
import { describeGateway, type Gateway } from './gateways.ts'
import type { Life, Stage } from './histories.ts'
import type { Targets } from './nemesis.ts'
import { randomOf } from './random.ts'
import { openLines } from './run-folder.ts'

/** Below the contract's 50, so that a moderate load comes up against it. */
export const sendsPerSecond = 20
/** What upstream and the gateways share. */
export const secrets = { META_APP_SECRET: 'upstream-app-secret', META_VERIFY_TOKEN: 'upstream-verify-token' }

type Setting = { simulatorUrl: string; tell: (line: Life) => void; undo: (() => Promise<unknown>)[] }
type Opened = {
  settings: Record<string, string>
  targets: Omit<Targets, 'rows'> & { ports: number[] }
  connection: () => Promise<ClientConfig>
}

/** Describes the gateways, not yet started, and their database: one that a gateway runs itself, or, through the proxy, one that this program keeps alive. */
export async function openSystem(
  options: { seed: number; mode: Stage['mode']; gateways: number; folder: string },
  { simulatorUrl, tell, undo }: Setting,
): Promise<Opened> {
  const dataDir = await newDataDir()
  const settings: Record<string, string> = {
    ...secrets,
    UPSTREAM: 'meta',
    META_GRAPH_URL: simulatorUrl,
    ALLOW_PRIVATE_WEBHOOKS: 'true',
    RATE_LIMIT_PER_KEY: '1000000',
    RATE_LIMIT_PER_ACCOUNT: '1000000',
    SENDS_PER_SECOND: String(sendsPerSecond),
    DATA_DIR: dataDir,
  }
  const ports: number[] = []
  for (let i = 0; i < options.gateways; i += 1) ports.push(await freePort())
  const random = randomOf(options.seed + 1)
  const describe = (place: number): Gateway => describeGateway(place, { port: ports[place] ?? 0, folder: options.folder, settings, tell })
  const gateways = ports.map((_port, place) => describe(place))
  const common = { gateways, ports, random, postmaster: () => postmasterOf(dataDir) }
  undo.push(() => Promise.all(gateways.map((each) => each.end('SIGKILL'))))
  if (options.mode === 'bundled') return { settings, targets: { ...common, proxy: null }, connection: () => bundledConnection(dataDir) }
  const log = openLines(join(options.folder, 'postgres.jsonl'))
  const postgres = await startBundledPostgres(
    { clock: systemClock(), observe: (each) => log.write({ ...each, atMs: Date.now() }) },
    { dataDir },
  )
  undo.splice(undo.length - 1, 0, async () => {
    await postgres.stop()
    log.close()
  })
  const proxy = await startFaultProxy(`${postgres.connection.host}/.s.PGSQL.${postgres.connection.port}`)
  undo.splice(undo.length - 1, 0, proxy.close)
  settings.DATABASE_URL = `postgres://${postgres.connection.user}@127.0.0.1:${proxy.port}/${postgres.connection.database}`
  settings.SECRET_KEY = randomBytes(32).toString('base64')
  return { settings, targets: { ...common, proxy }, connection: async () => postgres.connection }
}
