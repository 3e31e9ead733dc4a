import { type Clock, pause } from '../../../base/clock.ts'
import { packagedFolder, usableBinaries } from './binaries.ts'
import { createDatabase, probe } from './connection.ts'
import { DataDirectoryError } from './data-directory-error.ts'
import type { Location } from './location.ts'
import type { Observe } from './observation.ts'
import { type PidFile, readPidFile, removeStalePidFiles } from './pid-file.ts'
import { adoptPostmaster, type Ending, launchPostmaster, type Postmaster } from './postmaster.ts'
import { openServerLog, serverLogSince } from './server-log.ts'
import { stopPostmaster } from './stop-postmaster.ts'

/** What everything here works with. */
export type Deps = { clock: Clock; observe: Observe }

/** A server that is to run: its place, the address of its socket, and the signal that it is no longer wanted. */
export type Server = { location: Location; host: string; settings: Readonly<Record<string, string>>; unwanted: AbortSignal }

/** How long remains of an earlier server (a process on its way out, its shared memory) may keep a new one from starting. */
const remainsMaxMs = 10_000
/** Recovery replays at most some gigabytes of log, at about 200 MB/s on an ordinary disk. */
const readyMaxMs = 600_000
const tellRecoveryAfterMs = 5_000

/**
 * Returns a server that answers `select 1`: the living one of this data directory, or a new one. Returns early, with a server
 * in whatever state, once it is unwanted. `launched` is called as soon as its process runs. Throws `cannot_run` with the server's own words when it does not start, and `in_use`
 * when a server answers that is not a process of this system.
 */
export async function bringUp(deps: Deps, server: Server, launched = () => {}): Promise<Postmaster> {
  const { clock, observe } = deps
  const startedMs = clock.monotonicMs()
  let remains = false
  for (let retryInMs = 10; ; retryInMs = Math.min(retryInMs * 2, 500)) {
    const found = await readPidFile(server.location.dataDirectory)
    remains ||= found.kind !== 'none'
    try {
      const postmaster = await adoptOrLaunch(deps, server, found, launched)
      if (postmaster.adopted) observe({ kind: 'postgres_adopted', pid: postmaster.pid })
      else observe({ kind: 'postgres_started', pid: postmaster.pid, tookMs: clock.monotonicMs() - startedMs })
      return postmaster
    } catch (error) {
      // Without remains of an earlier server the next try would end as this one did.
      const pointless = !remains || clock.monotonicMs() - startedMs > remainsMaxMs || server.unwanted.aborted
      if (pointless || !(error instanceof DataDirectoryError)) throw error
    }
    await pause(clock, retryInMs, server.unwanted)
  }
}

async function adoptOrLaunch(deps: Deps, server: Server, found: PidFile, launched: () => void): Promise<Postmaster> {
  const { dataDirectory, home } = server.location
  if (found.kind === 'serving') {
    const postmaster = adoptPostmaster(deps.clock, dataDirectory, found.pid)
    launched()
    const ending = await untilReady(deps, server, postmaster)
    if (ending === null) return postmaster
    throw new DataDirectoryError(
      'cannot_run',
      `The PostgreSQL server that was running on ${dataDirectory} has just ended. Start the gateway again.`,
    )
  }
  if (found.kind === 'stopping') await stopPostmaster(deps, adoptPostmaster(deps.clock, dataDirectory, found.pid))
  await makeSureNobodyServes(server)
  for (const pid of await removeStalePidFiles(dataDirectory)) deps.observe({ kind: 'postgres_stale_pid_file_removed', pid })
  const binaries = await usableBinaries(packagedFolder(), home, server.location.runAs)
  const log = openServerLog(home)
  const postmaster = await launchPostmaster(server.location, binaries, { settings: server.settings, logFile: log.file })
  launched()
  const ending = await untilReady(deps, server, postmaster)
  if (ending === null) return postmaster
  throw new DataDirectoryError(
    'cannot_run',
    `PostgreSQL did not start on ${dataDirectory}. It said: ${await serverLogSince(home, log.from)}`,
  )
}

/**
 * A socket file works across containers, where pids and our lock mean nothing: whoever answers on it serves this data directory,
 * and a second server would destroy it.
 */
async function makeSureNobodyServes({ location, host }: Server): Promise<void> {
  if ((await probe(host)) === 'silent') return
  throw new DataDirectoryError(
    'in_use',
    `Another PostgreSQL server is running on ${location.dataDirectory}, perhaps in another container. Stop it first, or use another data directory.`,
  )
}

/** Null once the server is ready or unwanted, else how it ended. A server that is never ready is stopped. */
async function untilReady(deps: Deps, server: Server, postmaster: Postmaster): Promise<Ending | null> {
  const startedMs = deps.clock.monotonicMs()
  let told = false
  let ending: Ending | null = null
  void postmaster.ended.then((how) => {
    ending = how
  })
  for (let waitedMs = 0; waitedMs < readyMaxMs; waitedMs = deps.clock.monotonicMs() - startedMs) {
    if (server.unwanted.aborted) return null
    const answer = await probe(server.host)
    if (ending !== null) return ending
    if (answer === 'database_missing') await createOrStop(deps, server, postmaster)
    if (answer === 'ready' || answer === 'database_missing') return null
    if (waitedMs > tellRecoveryAfterMs && !told) {
      deps.observe({ kind: 'postgres_recovering', pid: postmaster.pid, waitedMs })
      told = true
    }
    await pause(deps.clock, Math.min(5 + waitedMs / 20, 250), server.unwanted)
  }
  await stopPostmaster(deps, postmaster)
  throw new DataDirectoryError(
    'cannot_run',
    `PostgreSQL on ${server.location.dataDirectory} did not become ready within ${readyMaxMs / 60_000} minutes. Look into postgres.log beside it.`,
  )
}

async function createOrStop(deps: Deps, { host, location }: Server, postmaster: Postmaster): Promise<void> {
  try {
    await createDatabase(host)
  } catch (error) {
    await stopPostmaster(deps, postmaster)
    throw new DataDirectoryError('cannot_run', `The database could not be created in ${location.dataDirectory}: ${String(error)}`, {
      cause: error,
    })
  }
}
