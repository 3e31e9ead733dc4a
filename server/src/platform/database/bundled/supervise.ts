import { bringUp, type Deps, type Server } from './bring-up.ts'
import { pause } from './pause.ts'
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
  let current: Postmaster | null = first
  while (current !== null && (await endedWhileWanted(deps, server, current))) current = await bringBack(deps, server)
  cancelLimit()
  return current
}

async function endedWhileWanted({ observe }: Deps, { unwanted }: Server, postmaster: Postmaster): Promise<boolean> {
  const unwantedSoon = new Promise<null>((resolve) => {
    unwanted.addEventListener('abort', () => resolve(null), { once: true })
    if (unwanted.aborted) resolve(null)
  })
  const ending = await Promise.race([postmaster.ended, unwantedSoon])
  if (ending === null || unwanted.aborted) return false
  observe({ kind: 'postgres_ended', ...ending })
  return true
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
