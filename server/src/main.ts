import { join } from 'node:path'
import type { Gateway } from './app.ts'
import { systemClock } from './base/clock.ts'
import { armCrashpoint } from './base/crashpoint.ts'
import { makeDirectory } from './base/make-directory.ts'
import { OperatorError } from './base/operator-error.ts'
import { type Config, ConfigProblems, readConfig, usualDataDir } from './config.ts'
import { levels } from './levels.ts'
import { type BundledPostgres, startBundledPostgres } from './platform/database/bundled/start.ts'
import { isOutage, sqlState } from './platform/database/failure.ts'
import { serverConnection } from './platform/database/server-tls.ts'
import { calmOutages } from './platform/observe/calm-outages.ts'
import { type LogDestination, openLogDestination } from './platform/observe/log-destination.ts'
import type { Observe } from './platform/observe/observation.ts'
import { createObserver } from './platform/observe/observe.ts'
import { type Sandbox, startSandbox } from './sandbox.ts'
import { collectStartingGarbage } from './starting-garbage.ts'
import { stopAllMsMax } from './stop-bounds.ts'

/** What was started, to be stopped in the opposite order. */
type Running = { postgres: BundledPostgres | null; sandbox: Sandbox | null; gateway: Gateway | null }

/** Bounds are kept by timers, which come late on a busy machine. */
const stopSlackMs = 1_000

await main()

/** Starts, works until it is asked to stop, stops. Also what was asked while it still started is stopped in order. */
async function main(): Promise<void> {
  // A terminal that was closed, or a full disk behind either: what cannot be told must not end the process.
  for (const output of [process.stdout, process.stderr]) output.on('error', () => {})
  const running: Running = { postgres: null, sandbox: null, gateway: null }
  const ending = watchForEnd()
  let logging: LogDestination | null = null
  let exitCode = 0
  let stopMs = stopAllMsMax + stopSlackMs
  try {
    const config = readConfig(process.env)
    stopMs += config.drainSeconds * 1_000
    if (process.env.POMBO_CRASHPOINT !== undefined) armCrashpoint(process.env.POMBO_CRASHPOINT)
    const log = await logFileOf(config)
    logging = openLogDestination(log)
    const { monotonicMs } = systemClock()
    const observe = calmOutages(createObserver({ level: config.logLevel, levels, sink: logging }), monotonicMs)
    await start({ config, running, observe, log, ending })
    const because = await ending.asked
    if (process.stdout.isTTY) process.stdout.write(`\n${because} Finishing what is under way …\n`)
  } catch (error) {
    // Ctrl-C also reaches the programs that a start waits for: what they say of it is no news.
    if (!ending.isAsked()) {
      process.stderr.write(`${wordsFor(error)}\n`)
      exitCode = 1
    }
  }
  // Its timer also keeps the process alive, whatever else has ended, until all are stopped.
  setTimeout(() => process.exit(1), stopMs)
  for (const problem of await stopAll(running, ending)) {
    process.stderr.write(`${wordsFor(problem)}\n`)
    exitCode = 1
  }
  await logging?.close()
  process.exit(exitCode)
}

type Ending = {
  asked: Promise<string>
  isAsked(): boolean
  ask(because: string): void
  /** Aborts when it was asked for a second time. */
  hurry: AbortSignal
}

/** From the first moment on: a signal that came before anybody listened would end the process and leave PostgreSQL behind. */
function watchForEnd(): Ending {
  const { promise, resolve } = Promise.withResolvers<string>()
  const hurry = new AbortController()
  let isAsked = false
  const ask = (because: string) => {
    if (isAsked) hurry.abort()
    isAsked = true
    resolve(because)
  }
  process.on('SIGINT', () => ask('Stopping.'))
  process.on('SIGTERM', () => ask('Stopping.'))
  return { asked: promise, isAsked: () => isAsked, ask, hurry: hurry.signal }
}

type Starting = { config: Config; running: Running; observe: Observe; log: string | null; ending: Ending }

async function start({ config, running, observe, log, ending }: Starting): Promise<void> {
  const clock = systemClock()
  // The network, PostgreSQL and our own code take a second each on a slow machine: the first two start while the third is loaded.
  const sandbox = config.upstream === 'sandbox' ? startSandbox(config.dataDir) : null
  const { promise: launched, resolve: launch } = Promise.withResolvers<void>()
  const code = launched.then(loadCode)
  // Awaited below; until then a failure of another is told first.
  for (const each of [sandbox, code]) each?.catch(() => {})
  if (config.databaseUrl !== null) launch()
  else running.postgres = await startBundledPostgres({ clock, observe }, { dataDir: config.dataDir, launched: launch })
  const { startGateway, openSandbox } = await code
  running.sandbox = await sandbox
  running.sandbox?.onEnd(() => ending.ask('The sandbox network ended.'))
  if (ending.isAsked()) return
  running.gateway = await startGateway({ ...networkOf(config, running), config, clock, observe })
  if (ending.isAsked()) return
  collectStartingGarbage(clock)
  const { gateway } = running
  const { url } = gateway
  if (running.sandbox !== null) {
    // With PORT=0 nobody could say beforehand where it is.
    const publicUrl = config.publicUrl === `http://localhost:${config.port}` ? null : config.publicUrl
    const dataDir = config.dataDir === usualDataDir ? null : config.dataDir
    process.stdout.write(await openSandbox({ clock, gateway, sandbox: running.sandbox }, { roles: config.roles, publicUrl, log, dataDir }))
  }
  // Whatever reads the log reads one form; a person reads a sentence.
  else if (process.stdout.isTTY) process.stdout.write(`${readyText(config, url)}\n`)
  else observe({ kind: 'gateway.ready', url, roles: config.roles })
}

function readyText({ roles }: Config, url: string): string {
  const serves = roles.includes('api') || roles.includes('console')
  return serves ? `Pombo listens on ${url}` : `Pombo works, and answers /health, /ready and /metrics on ${url}`
}

/** What the gateway needs to know of the database and of upstream. */
function networkOf(config: Config, { postgres, sandbox }: Running) {
  return {
    connection: postgres?.connection ?? serverConnection(config.databaseUrl ?? '', config.databaseCa),
    alone: postgres !== null,
    graphUrl: sandbox?.graphUrl ?? config.metaGraphUrl,
    appSecrets: sandbox === null ? config.metaAppSecrets : [sandbox.appSecret],
    verifyToken: sandbox?.verifyToken ?? config.metaVerifyToken,
  }
}

/** What serves and works, some 2,000 modules. What must be known at once, such as a wrong setting, needs none of it. */
async function loadCode() {
  const { startGateway } = await import('./app.ts')
  const { openSandbox } = await import('./open-sandbox.ts')
  return { startGateway, openSandbox }
}

/** A person at a terminal gets a calm screen, and the log in a file; everything else gets the log on standard output. */
async function logFileOf(config: Config): Promise<string | null> {
  if (!process.stdout.isTTY || config.upstream !== 'sandbox') return null
  await makeDirectory(config.dataDir)
  return join(config.dataDir, 'pombo.log')
}

/** Stops all of them, whatever one of them does, and returns what went wrong. */
async function stopAll({ gateway, sandbox, postgres }: Running, { hurry }: Ending): Promise<unknown[]> {
  const problems: unknown[] = []
  for (const stop of [() => gateway?.stop(hurry), () => sandbox?.stop(), () => postgres?.stop()]) {
    try {
      await stop()
    } catch (error) {
      problems.push(error)
    }
  }
  return problems
}

/** Mistakes of the operator in a sentence; anything else with its stack, because it is ours. */
function wordsFor(error: unknown): string {
  if (error instanceof ConfigProblems) return `The settings are not right:\n${error.problems.map((each) => `  ${each}`).join('\n')}`
  if (error instanceof OperatorError) return error.message
  if (!(error instanceof Error)) return String(error)
  if ('code' in error && error.code === 'EADDRINUSE' && 'port' in error)
    return `The port ${error.port} is taken by another program. Set PORT to a free one: PORT=${Number(error.port) + 1} npm start`
  if (isNotReached(error))
    return `The database cannot be used: ${error.message}. Check DATABASE_URL, that its server runs, and that it lets this machine in.`
  return error.stack ?? error.message
}

/** Away, or it refuses us: a wrong password (class 28), a database that does not exist (3D). A port of our own is another matter. */
function isNotReached(error: Error): boolean {
  if ('syscall' in error && error.syscall === 'listen') return false
  return isOutage(error) || /^(28|3D)/.test(sqlState(error) ?? '')
}
