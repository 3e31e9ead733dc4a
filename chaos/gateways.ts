import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { environment, gatewayMain } from '../server/test/support/processes/gateway-process.ts'
import { kill, projectRoot } from '../server/test/support/processes/program.ts'
import { until } from '../server/test/support/processes/until.ts'
import type { Life, Sample } from './histories.ts'

/** One gateway of the run, that is started and ended many times. */
export type Gateway = {
  place: number
  /** Starts it and waits until it answers. `crashpoint` arms one, as `name:n`. */
  start(crashpoint?: string): Promise<void>
  /** Null while it does not run. */
  pid(): number | null
  /** Signals it; the end that follows is wanted. `clean`: it must end with code 0. */
  end(signal: 'SIGKILL' | 'SIGTERM', clean?: boolean): Promise<void>
  /** From now on an end is wanted: it will be killed at a point. Resolves when it ended or `msMax` is over. */
  untilEnded(msMax: number): Promise<boolean>
  sample(): Promise<Sample | null>
}

const readyMsMax = 60_000
const endMsMax = 60_000

/** Describes a gateway at a port of its own; its output goes to a file of the run's folder. */
export function describeGateway(
  place: number,
  options: { port: number; folder: string; settings: Record<string, string>; tell: (life: Life) => void },
): Gateway {
  let child: ChildProcess | null = null
  let ended: Promise<unknown> = Promise.resolve()
  let wanted = false
  let clean = false

  const start = async (crashpoint?: string) => {
    const startedMs = performance.now()
    const log = openSync(join(options.folder, `gateway-${place}.log`), 'a')
    const env = {
      ...environment(options.settings),
      PORT: String(options.port),
      ...(crashpoint === undefined ? {} : { POMBO_CRASHPOINT: crashpoint }),
    }
    const mine = spawn(process.execPath, gatewayMain, { cwd: projectRoot, env, detached: true, stdio: ['ignore', log, log] })
    closeSync(log)
    child = mine
    wanted = crashpoint !== undefined
    clean = false
    ended = once(mine, 'exit').then(([code, signal]) => {
      child = null
      options.tell({ kind: 'ended', atMs: Date.now(), gateway: place, pid: mine.pid ?? 0, code, signal, wanted, clean })
    })
    const answers = async () =>
      child !== mine || (await fetch(`http://127.0.0.1:${options.port}/ready`, { signal: AbortSignal.timeout(2_500) })).ok
    await until(`gateway ${place} answers`, answers, readyMsMax)
    if (child === mine)
      options.tell({ kind: 'started', atMs: Date.now(), gateway: place, pid: mine.pid ?? 0, tookMs: performance.now() - startedMs })
    // One that is to be killed at a point may have come to it already.
    else if (crashpoint === undefined) throw new Error(`Gateway ${place} ended before it answered: see its log in ${options.folder}.`)
  }
  const untilEnded = async (msMax: number) => {
    wanted = true
    const late = new Promise<void>((resolve) => setTimeout(resolve, msMax).unref())
    await Promise.race([ended, late])
    return child === null
  }
  return {
    place,
    start,
    pid: () => child?.pid ?? null,
    async end(signal, mustBeClean = false) {
      if (child?.pid === undefined) return
      wanted = true
      clean = mustBeClean
      kill(child.pid, signal)
      if (await untilEnded(endMsMax)) return
      throw new Error(`Gateway ${place} has not ended ${endMsMax} ms after ${signal}.`)
    },
    untilEnded,
    sample: async () => (child?.pid === undefined ? null : sampleOf(place, child.pid)),
  }
}

async function sampleOf(gateway: number, pid: number): Promise<Sample | null> {
  try {
    const [status, files] = await Promise.all([readFile(`/proc/${pid}/status`, 'utf8'), readdir(`/proc/${pid}/fd`)])
    const kilobytes = Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0)
    return { kind: 'sample', atMs: Date.now(), gateway, pid, rssBytes: kilobytes * 1_024, openFiles: files.length }
  } catch {
    // It ended meanwhile.
    return null
  }
}
