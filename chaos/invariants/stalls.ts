import { stallMsMax } from '../../server/src/platform/observe/event-loop.ts'
import type { Run, Violation } from '../histories.ts'

/** I23. The event loop of no gateway stands still for long, whatever somebody does. What its own thread computes counts: a paused process has no stall. */
export function neverStandsStill(run: Run): Violation[] {
  return [...Map.groupBy(run.probes, (each) => each.gateway)].flatMap(([gateway, probes]): Violation[] => {
    const longest = probes.reduce((most, each) => ((each.stallMs ?? 0) > (most.stallMs ?? 0) ? each : most))
    const what = `The event loop of gateway ${gateway} stood still for ${Math.round(longest.stallMs ?? 0)} ms.`
    return (longest.stallMs ?? 0) > stallMsMax ? [{ invariant: 'I23', what, evidence: longest }] : []
  })
}
