import { stallMsMax } from '../../server/src/platform/observe/event-loop.ts'
import { type Figure, judged } from '../benchmark.ts'

const told = /^pombo_event_loop_longest_stall_seconds(?:\{[^}]*\})? (\S+)$/m
let stallsMs: number[] = []

/** Notes how long the event loop of this gateway has stood still at most since its start. Call it before the gateway stops. */
export async function noteStall(url: string): Promise<void> {
  const page = await fetch(`${url}/metrics`, { signal: AbortSignal.timeout(5_000) }).then((response) => response.text())
  const seconds = told.exec(page)?.[1]
  if (seconds !== undefined) stallsMs.push(Number(seconds) * 1_000)
}

/** The figure of a benchmark whose gateways have stopped, and begins anew for the next one; nothing where it had no gateway. */
export function stallFigures(): Figure[] {
  const values = stallsMs
  stallsMs = []
  if (values.length === 0) return []
  // The longest of all: a median would hide the one that somebody waits for.
  return [judged("the event loop's longest stall", 'ms', [Math.max(...values)], { atMost: stallMsMax })]
}
