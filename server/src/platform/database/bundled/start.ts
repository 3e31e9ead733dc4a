import type { Clock } from '../../../base/clock.ts'
import { majorOf, packagedFolder, usableBinaries } from './binaries.ts'
import { bringUp, type Deps } from './bring-up.ts'
import { type BundledConnection, connectionTo, openSocketAddress } from './connection.ts'
import { DataDirectoryError } from './data-directory-error.ts'
import { holdsData, initialise, linkData } from './initialise.ts'
import { type Location, locate, prepareDataDir } from './location.ts'
import type { Observe } from './observation.ts'
import { takeOwnerLock } from './owner-lock.ts'
import { chooseRunAs } from './run-as.ts'
import { stopPostmaster } from './stop-postmaster.ts'
import { supervise } from './supervise.ts'
import { keepingAlive } from './waits.ts'

/** A server that runs, and is brought back whenever it ends, until `stop`. */
export type BundledPostgres = {
  /** What pg's `Pool` takes. It stays the same while the server is restarted after a crash; it works in this process only. */
  connection: BundledConnection
  /** True when a living server was adopted rather than started. */
  adopted: boolean
  /** Where the data lies, for the terminal. */
  dataDirectory: string
  /** Stops the server for good, within 20 s. The caller closes its own connections first. Safe to call twice. */
  stop(): Promise<void>
}

/**
 * Runs a PostgreSQL server on `dataDir`, which this process then owns: creates the database at the first start, adopts a server
 * that a killed gateway left behind, and restarts it for as long as this process lives. Resolves once it answers `select 1`.
 *
 * `settings` are PostgreSQL's, on top of ours; `fsync: 'off'` is for tests. `launched` is called once a program of PostgreSQL runs, from when
 * on there is time for other work. Throws a `DataDirectoryError` whose message tells
 * the operator what to do.
 */
export function startBundledPostgres(
  deps: { clock: Clock; observe: Observe },
  options: { dataDir: string; settings?: Record<string, string>; launched?: () => void },
): Promise<BundledPostgres> {
  const { launched = () => {} } = options
  return keepingAlive(async () => {
    const preferred = await chooseRunAs()
    const dataDir = await prepareDataDir(options.dataDir, preferred)
    const lock = await takeOwnerLock(dataDir)
    try {
      const location = await locate(dataDir, preferred)
      const settings = options.settings ?? {}
      await prepareData(deps, location, { sync: settings.fsync !== 'off', launched })
      await linkData(dataDir, location.dataDirectory)
      return await run(deps, { location, settings, release: lock.release, launched })
    } catch (error) {
      await lock.release()
      throw inWords(error, dataDir)
    }
  })
}

/** A full disk or a missing right, wherever it was met, is the operator's to put right; anything else is a bug of ours. */
function inWords(error: unknown, dataDir: string): unknown {
  if (!(error instanceof Error) || !('syscall' in error)) return error
  return new DataDirectoryError('cannot_run', `The data directory ${dataDir} cannot be used: ${error.message}.`, { cause: error })
}

/** The major version is checked and the database made before anything runs; afterwards neither changes under our lock. */
async function prepareData({ clock, observe }: Deps, location: Location, how: { sync: boolean; launched: () => void }): Promise<void> {
  const startedMs = clock.monotonicMs()
  const packaged = packagedFolder()
  if (await holdsData(location, await majorOf(packaged))) return
  await initialise(location, await usableBinaries(packaged, location.home, location.runAs), how)
  observe({ kind: 'postgres_initialised', dataDirectory: location.dataDirectory, tookMs: clock.monotonicMs() - startedMs })
}

async function run(
  deps: Deps,
  {
    location,
    settings,
    release,
    launched,
  }: { location: Location; settings: Record<string, string>; release: () => Promise<void>; launched: () => void },
): Promise<BundledPostgres> {
  const address = openSocketAddress(location.dataDirectory)
  const ending = new AbortController()
  const server = { location, host: address.host, settings, unwanted: ending.signal }
  const first = await bringUp(deps, server, launched).catch((error: unknown) => {
    address.close()
    throw error
  })
  const supervised = supervise(deps, server, first)
  const stop = async () => {
    ending.abort()
    const last = await supervised
    if (last !== null) await stopPostmaster(deps, last)
    address.close()
    await release()
  }
  let stopped: Promise<void> | null = null
  return {
    connection: connectionTo(address.host),
    adopted: first.adopted,
    dataDirectory: location.dataDirectory,
    stop: () => {
      stopped ??= keepingAlive(stop)
      return stopped
    },
  }
}
