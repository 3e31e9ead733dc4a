import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Gateway } from './app.ts'
import type { SystemClock } from './base/clock.ts'
import type { Config } from './config.ts'
import { openDemoConsole, openDemoWindow, prepareDemo } from './demo.ts'
import { consoleDirectory } from './routes.ts'
import type { Sandbox } from './sandbox.ts'
import { localhostOf, welcomeText } from './welcome.ts'

type Deps = { config: Config; clock: SystemClock; gateway: Gateway; sandbox: Sandbox }

/** Connects the gateway and the simulated network, with a demo account in them. Returns what the terminal shows then; `log`: the log's file. */
export async function openSandbox({ config, clock, gateway, sandbox }: Deps, log: string | null): Promise<string> {
  const { database, graph, secretKey } = gateway
  const deps = { database, graph, clock, secretKey, sandbox }
  const keys = await prepareDemo(deps)
  if (config.roles.includes('api')) {
    await sandbox.sendNoticesTo(gateway.url)
    await openDemoWindow(deps)
  }
  // With PORT=0 nobody could say beforehand where it is.
  const consoleUrl = config.publicUrl === `http://localhost:${config.port}` ? localhostOf(gateway.url) : config.publicUrl
  const link = config.roles.includes('console') ? await openDemoConsole(deps, consoleUrl) : null
  return welcomeText(gateway.url, keys, { link, isBuilt: existsSync(join(consoleDirectory, 'index.html')), log })
}
