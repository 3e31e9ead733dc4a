import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Gateway } from './app.ts'
import type { SystemClock } from './base/clock.ts'
import { openDemoConsole, openDemoWindow, prepareDemo } from './demo.ts'
import { consoleDirectory } from './routes.ts'
import type { Sandbox } from './sandbox.ts'
import { localhostOf, welcomeText } from './welcome.ts'

type Deps = { clock: SystemClock; gateway: Gateway; sandbox: Sandbox }

type Options = {
  roles: readonly string[]
  /** Where browsers find the console; null: where the gateway listens. */
  publicUrl: string | null
  /** The log's file; null: it goes to standard output. */
  log: string | null
  /** Where everything is kept; null: in the usual place, which the operator's tool finds by itself. */
  dataDir: string | null
}

/** Connects the gateway and the simulated network, with a demo account in them. Returns what the terminal shows then. */
export async function openSandbox({ clock, gateway, sandbox }: Deps, { roles, publicUrl, log, dataDir }: Options): Promise<string> {
  const { database, graph, secretKey } = gateway
  const deps = { database, graph, clock, secretKey, sandbox }
  const keys = await prepareDemo(deps)
  const letPersonWrite = async () => {
    await sandbox.sendNoticesTo(gateway.url)
    await openDemoWindow(deps)
  }
  const [link] = await Promise.all([
    roles.includes('console') ? openDemoConsole(deps, publicUrl ?? localhostOf(gateway.url)) : null,
    roles.includes('api') ? letPersonWrite() : undefined,
  ])
  const tool = dataDir === null ? 'npm run pombo --' : `DATA_DIR='${dataDir}' npm run pombo --`
  return welcomeText(gateway.url, keys, { link, isBuilt: existsSync(join(consoleDirectory, 'index.html')), log, tool })
}
