import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../../../base/clock.ts'
import { port } from './connection.ts'
import { DataDirectoryError } from './data-directory-error.ts'
import { isErrorCode } from './error-code.ts'
import type { Location } from './location.ts'
import type { StopSignal } from './observation.ts'
import { postmasterOf, processState } from './process-state.ts'

/** How a server process ended. Both null: it was adopted, and only its parent could know. */
export type Ending = { code: number | null; signal: string | null }

/** The server's first process, be it our child or one that an earlier gateway left behind. */
export type Postmaster = { pid: number; adopted: boolean; ended: Promise<Ending>; signal(signal: StopSignal): Promise<void> }

/** What the server runs with; a caller's settings come on top. */
const defaults: Readonly<Record<string, string>> = {
  shared_buffers: '128MB',
  max_wal_size: '1GB',
  max_connections: '60',
  jit: 'off',
  idle_in_transaction_session_timeout: '60s',
  log_min_messages: 'warning',
  // What rows and statements hold stays out of the log.
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
  unix_socket_permissions: '0700',
}

/** Starts the server's first process, without waiting for it to be ready. It outlives us: the next gateway adopts it. Closes `logFile`. */
export async function launchPostmaster(location: Location, binaries: string, how: How): Promise<Postmaster> {
  try {
    const child = await spawnPostgres(location, binaries, how)
    const ended = new Promise<Ending>((resolve) => child.once('exit', (code, signal) => resolve({ code, signal })))
    child.unref()
    return { pid: child.pid ?? 0, adopted: false, ended, signal: async (signal) => void child.kill(signal) }
  } catch (error) {
    throw cannotSpawn(error)
  } finally {
    closeSync(how.logFile)
  }
}

type How = { settings: Readonly<Record<string, string>>; logFile: number }

async function spawnPostgres({ dataDirectory, runAs }: Location, binaries: string, how: How): Promise<ChildProcess> {
  const settings = Object.entries({ ...defaults, ...how.settings }).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  // The socket goes into the data directory by a relative path, because an absolute one may be longer than the system's limit.
  const args = ['-D', dataDirectory, '-k', '.', '-h', '', '-p', String(port), ...settings]
  const child = spawn(join(binaries, 'bin', 'postgres'), args, {
    ...(runAs === null ? {} : { uid: runAs.uid, gid: runAs.gid }),
    cwd: dataDirectory,
    // A session of its own: Ctrl-C in our terminal is for us to handle.
    detached: true,
    // A file and not a pipe: a pipe breaks when we die, and the server with it.
    stdio: ['ignore', how.logFile, how.logFile],
    env: { PATH: process.env.PATH ?? '', TZ: 'UTC', LC_ALL: 'C' },
  })
  // Some failures to spawn are thrown above, others arrive as an event: both end here.
  await once(child, 'spawn')
  return child
}

function cannotSpawn(error: unknown): DataDirectoryError {
  const because = isErrorCode(error, 'EPERM', 'EACCES')
    ? 'this process may not run it as the user that it needs. Run the gateway as an ordinary user.'
    : String(error)
  return new DataDirectoryError('cannot_run', `PostgreSQL could not be started: ${because}`, { cause: error })
}

const lookEveryMs = 200

/** Takes over a postmaster that is not our child. Nobody tells us when such a process ends, so we look. */
export function adoptPostmaster(clock: Clock, dataDirectory: string, pid: number): Postmaster {
  const lives = async () => (await processState(pid)) === 'alive' && (await postmasterOf(pid, dataDirectory)) !== 'other'
  const ended = new Promise<Ending>((resolve) => {
    const look = async () => {
      if (await lives()) clock.after(lookEveryMs, () => void look())
      else resolve({ code: null, signal: null })
    }
    void look()
  })
  const signal = async (name: StopSignal) => {
    // The pid may have been given to another program since.
    if (await lives()) killIfThere(pid, name)
  }
  return { pid, adopted: true, ended, signal }
}

function killIfThere(pid: number, signal: StopSignal): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (!isErrorCode(error, 'ESRCH')) throw error
  }
}
