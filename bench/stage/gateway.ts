import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { environment, freePort, gatewayMain } from '../../server/test/support/processes/gateway-process.ts'
import { kill, projectRoot } from '../../server/test/support/processes/program.ts'
import { until } from '../../server/test/support/processes/until.ts'
import { atTheEnd } from './end-everything.ts'
import { noteStall } from './stalls.ts'

/** A gateway that runs as a process of its own, as `npm start` would start it. */
export type RunningGateway = { url: string; pid: number; stop(): Promise<void> }

const readyMsMax = 120_000
const stopMsMax = 60_000

/** Starts it and waits until it answers. Its log goes to a file beside its data: what it logs is part of what it does. */
export async function startGateway(settings: Record<string, string>): Promise<RunningGateway> {
  const port = await freePort()
  const logFile = join(dirname(settings.DATA_DIR ?? ''), 'gateway.log')
  const log = openSync(logFile, 'a')
  const child = spawn(process.execPath, gatewayMain, {
    cwd: projectRoot,
    env: { ...environment(settings), PORT: String(port) },
    detached: true,
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  const exited = once(child, 'exit')
  const url = `http://127.0.0.1:${port}`
  const stop = atTheEnd(async () => {
    // One that is killed or does not answer any more has nothing to say.
    await noteStall(url).catch(() => {})
    await stopGateway(child, exited)
  })
  const answers = async () => child.exitCode !== null || (await fetch(`${url}/ready`, { signal: AbortSignal.timeout(2_000) })).ok
  await until('the gateway answers', answers, readyMsMax)
  if (child.exitCode !== null) throw new Error(`The gateway ended at its start:\n${(await readFile(logFile, 'utf8')).slice(-2_000)}`)
  return { url, pid: child.pid ?? 0, stop }
}

async function stopGateway(child: ChildProcess, exited: Promise<unknown>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  const pid = child.pid
  kill(pid, 'SIGTERM')
  const late = setTimeout(() => kill(-pid, 'SIGKILL'), stopMsMax)
  await exited
  clearTimeout(late)
}
