import type { Run, Violation } from '../histories.ts'

/** What an event loop may stand still, by what its own thread has computed meanwhile: a paused process counts nothing. */
export const stallMsMax = 250

/** I23. The event loop of no gateway stands still for long, whatever somebody does. */
export function neverStandsStill(run: Run): Violation[] {
  return [...Map.groupBy(run.probes, (each) => each.gateway)].flatMap(([gateway, probes]): Violation[] => {
    const longest = probes.reduce((most, each) => ((each.stallMs ?? 0) > (most.stallMs ?? 0) ? each : most))
    const what = `The event loop of gateway ${gateway} stood still for ${Math.round(longest.stallMs ?? 0)} ms.`
    return (longest.stallMs ?? 0) > stallMsMax ? [{ invariant: 'I23', what, evidence: longest }] : []
  })
}
