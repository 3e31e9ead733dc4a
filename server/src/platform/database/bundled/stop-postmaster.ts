import type { Clock } from '../../../base/clock.ts'
import type { Observe, StopSignal } from './observation.ts'
import type { Postmaster } from './postmaster.ts'
import { within } from './waits.ts'

/**
 * Fast, then immediate, then by force. There is no smart stop before them (SIGTERM): it waits for every client for ever, and our
 * callers have closed theirs. A fast stop writes a checkpoint, which takes seconds on a slow disk; after the other two the next
 * start replays the log.
 */
const ladder: readonly { signal: StopSignal; waitMs: number }[] = [
  { signal: 'SIGINT', waitMs: 14_000 },
  { signal: 'SIGQUIT', waitMs: 3_000 },
  { signal: 'SIGKILL', waitMs: 3_000 },
]

/** The longest stop, of a server that obeys none of them. */
export const stopPostmasterMsMax = ladder.reduce((sum, { waitMs }) => sum + waitMs, 0)

/** Stops the server within 20 s. Returns at once when it has ended already. */
export async function stopPostmaster(deps: { clock: Clock; observe: Observe }, postmaster: Postmaster): Promise<void> {
  const startedMs = deps.clock.monotonicMs()
  const told = (by: StopSignal | 'itself') => deps.observe({ kind: 'postgres_stopped', by, tookMs: deps.clock.monotonicMs() - startedMs })
  if ((await within(deps.clock, 0, postmaster.ended)) !== null) return told('itself')
  for (const { signal, waitMs } of ladder) {
    await postmaster.signal(signal)
    if ((await within(deps.clock, waitMs, postmaster.ended)) !== null) return told(signal)
  }
}
