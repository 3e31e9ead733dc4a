import type { Clock } from '../../base/clock.ts'

export type EventLoopObservation = { kind: 'event_loop.stalled'; ms: number }

export type EventLoopWatch = {
  /** The longest stall since the watch began, in milliseconds. */
  longestMs(): number
  stop(): void
}

/** A stall that is longer is told: everybody who calls has waited for it. */
export const stallMsMax = 250
/** How far apart the looks are. A stall is known to so many milliseconds less. */
const lookEveryMs = 50

/**
 * Watches this thread for work that kept its event loop from everything else. Only what the thread itself computed counts: on a busy
 * machine it also waits for its turn, and that is no stall of ours.
 */
export function watchEventLoop({ clock, observe }: { clock: Clock; observe: (observation: EventLoopObservation) => void }): EventLoopWatch {
  let longestMs = 0
  let dueMs = clock.monotonicMs() + lookEveryMs
  let burnedMs = threadMs()
  let cancel = () => {}
  const look = () => {
    const nowMs = clock.monotonicMs()
    const nowBurnedMs = threadMs()
    const stallMs = Math.round(Math.min(nowMs - dueMs, nowBurnedMs - burnedMs))
    if (stallMs > longestMs) longestMs = stallMs
    if (stallMs > stallMsMax) observe({ kind: 'event_loop.stalled', ms: stallMs })
    burnedMs = nowBurnedMs
    dueMs = nowMs + lookEveryMs
    cancel = clock.after(lookEveryMs, look)
  }
  cancel = clock.after(lookEveryMs, look)
  return { longestMs: () => longestMs, stop: () => cancel() }
}

/** What this thread has computed so far, its calls of the system included. */
function threadMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}
