import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** A gateway in the sandbox, as `npm start` starts it, on a directory and a port of its own. */
export type Gateway = {
  url: string
  /** A one-time link that signs in to the demo account. */
  link: string
  liveKey: string
  testKey: string
  /** Ends the process, as a signal would; `start` then brings it back on the same data and port. */
  stop(): Promise<void>
  start(): Promise<void>
  /** Ends it for good and takes its data away. */
  close(): Promise<void>
}

const program = fileURLToPath(new URL('../../../server/src/main.ts', import.meta.url))
const startMsMax = 30_000

export async function startGateway(settings: Readonly<Record<string, string>> = {}): Promise<Gateway> {
  const dataDir = await mkdtemp(join(tmpdir(), 'pombo-console-'))
  let running = await run({ ...settings, DATA_DIR: dataDir, PORT: settings.PORT ?? '0' })
  const { url } = running
  const gateway: Gateway = {
    url,
    link: running.link,
    liveKey: running.liveKey,
    testKey: running.testKey,
    stop: () => end(running.child),
    async start() {
      running = await run({ ...settings, DATA_DIR: dataDir, PORT: new URL(url).port })
    },
    async close() {
      await end(running.child)
      await rm(dataDir, { recursive: true, force: true })
    },
  }
  return gateway
}

type Running = { child: ChildProcess; url: string; link: string; liveKey: string; testKey: string }

/** Starts it and reads what it says until it is ready. */
async function run(env: Record<string, string>): Promise<Running> {
  const child = spawn(process.execPath, [program], { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'inherit'] })
  const found = { url: '', link: '', liveKey: '', testKey: '' }
  const ready = (async () => {
    for await (const line of createInterface({ input: child.stdout })) {
      found.url ||= /API +(http:\S+)\/v1/.exec(line)?.[1] ?? ''
      found.link ||= /Console +(http:\S+)/.exec(line)?.[1] ?? ''
      found.liveKey ||= /Live key +(\S+)/.exec(line)?.[1] ?? ''
      found.testKey ||= /Test key +(\S+)/.exec(line)?.[1] ?? ''
      if (line.includes('Ctrl-C stops')) return
    }
    throw new Error('the gateway ended before it was ready')
  })()
  const timeout = AbortSignal.timeout(startMsMax)
  await Promise.race([ready, once(timeout, 'abort').then(() => Promise.reject(new Error('the gateway did not start in time')))])
  child.stdout.resume()
  return { child, ...found }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}
