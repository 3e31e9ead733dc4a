import { realpath } from 'node:fs/promises'
import { type Clock, pause } from '../../../base/clock.ts'
import { type BundledConnection, connectionTo, openSocketAddress, probe } from './connection.ts'
import { DataDirectoryError } from './data-directory-error.ts'
import { existingDataDirectory } from './location.ts'
import { isOwned } from './owner-lock.ts'
import { keepingAlive } from './waits.ts'

const readyMaxMs = 10_000

/**
 * The connection to the server that a running gateway supervises on this data directory, or null when no gateway runs there (a
 * server that a killed one left behind is then `startBundledPostgres`'s to adopt). Waits up to 10 s for a gateway that is just
 * starting, then throws `in_use`. For the operator's tool: what it opens stays open until the process ends.
 */
export function findRunningPostgres(deps: { clock: Clock }, dataDir: string): Promise<BundledConnection | null> {
  return keepingAlive(async () => {
    const path = await realpath(dataDir).catch(() => null)
    const startedMs = deps.clock.monotonicMs()
    while (path !== null && (await isOwned(path))) {
      const connection = await readyConnection(path)
      if (connection !== null) return connection
      if (deps.clock.monotonicMs() - startedMs > readyMaxMs) throw notReady(path)
      await pause(deps.clock, 50)
    }
    return null
  })
}

async function readyConnection(dataDir: string): Promise<BundledConnection | null> {
  const dataDirectory = await existingDataDirectory(dataDir)
  if (dataDirectory === null) return null
  const address = openSocketAddress(dataDirectory)
  if ((await probe(address.host)) === 'ready') return connectionTo(address.host)
  address.close()
  return null
}

const notReady = (dataDir: string) =>
  new DataDirectoryError(
    'in_use',
    `A gateway is running on ${dataDir}, but its database does not answer. Try again in a moment, as the user who runs the gateway.`,
  )
