import { pause } from '../../../base/clock.ts'
import { bringUp, type Deps, type Server } from './bring-up.ts'
import type { Postmaster } from './postmaster.ts'
import { limitServerLog } from './server-log.ts'

const backOffMaxMs = 5_000
const limitLogEveryMs = 3_600_000

/**
 * Brings the server back whenever it ends, for as long as it is wanted: at once after a crash, then with growing pauses up to
 * 5 s. It never initialises: a data directory that is gone is a failure to be told, not a reason for an empty database.
 * Resolves, once the server is unwanted, to the process that must still be stopped, or null.
 */
export async function supervise(deps: Deps, server: Server, first: Postmaster): Promise<Postmaster | null> {
  const cancelLimit = limitLogForever(deps, server)
  const unwanted = aborted(server.unwanted)
  let current: Postmaster | null = first
  while (current !== null && (await endedWhileWanted(deps, unwanted, current))) current = await bringBack(deps, server)
  cancelLimit()
  return current
}

async function endedWhileWanted({ observe }: Deps, unwanted: Promise<null>, postmaster: Postmaster): Promise<boolean> {
  // First in the race, so that an ending that comes together with the wish to end counts as wished.
  const ending = await Promise.race([unwanted, postmaster.ended])
  if (ending === null) return false
  observe({ kind: 'postgres_ended', ...ending })
  return true
}

function aborted(signal: AbortSignal): Promise<null> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(null), { once: true })
  })
}

async function bringBack(deps: Deps, server: Server): Promise<Postmaster | null> {
  for (let retryInMs = 100; !server.unwanted.aborted; retryInMs = Math.min(retryInMs * 2, backOffMaxMs)) {
    try {
      return await bringUp(deps, server)
    } catch (error) {
      deps.observe({ kind: 'postgres_start_failed', because: error instanceof Error ? error.message : String(error), retryInMs })
    }
    await pause(deps.clock, retryInMs, server.unwanted)
  }
  return null
}

function limitLogForever({ clock }: Deps, { location }: Server): () => void {
  let cancel = () => {}
  const arm = () => {
    cancel = clock.after(limitLogEveryMs, () => {
      limitServerLog(location.home)
      arm()
    })
  }
  arm()
  return () => cancel()
}
