import type { Probe, Run, Violation } from '../histories.ts'

/** A check may look at the last seconds, and one that fails may wait for its deadline. */
const windowMs = 12_000
const stepMs = 1_000
/** Fewer say nothing. */
const sendsMin = 10
const acceptedShareMax = 0.8

/**
 * I22. `/ready` is true to what happens: while all gateways say for long that they can work, sends are accepted and leave; while all say for long that they
 * cannot, they are not.
 */
export function readyTells(run: Run): Violation[] {
  const requests = run.requests.map((each) => each.atMs)
  const accepted = run.answers.filter((each) => each.status === 202).map((each) => each.atMs)
  const arrivals = run.sends.map((each) => new Date(each.at).getTime())
  const found: Violation[] = []
  const broken = (what: string, fromMs: number) => found.push({ invariant: 'I22', what, evidence: { fromMs, toMs: fromMs + windowMs } })
  for (const { fromMs, said } of windowsOf(run)) {
    const within = (moments: readonly number[]) => moments.filter((each) => each >= fromMs && each <= fromMs + windowMs).length
    const [asked, taken, left] = [within(requests), within(accepted), within(arrivals)]
    if (said === 'ready' && asked >= sendsMin && taken === 0)
      broken('All gateways said that they were ready, and none accepted a send.', fromMs)
    if (said === 'ready' && taken >= sendsMin && left === 0) broken('All gateways said that they were ready, and no send left.', fromMs)
    if (said === 'not ready' && asked >= sendsMin && taken > acceptedShareMax * asked)
      broken('All gateways said that they were not ready, and accepted sends all the time.', fromMs)
  }
  return found
}

/** The windows in which all gateways, whenever they were asked, said the same; those that overlap included. */
function windowsOf({ probes, stage }: Run): { fromMs: number; said: 'ready' | 'not ready' }[] {
  const sorted = probes.toSorted((a, b) => a.atMs - b.atMs)
  const [first, last] = [sorted[0]?.atMs ?? 0, sorted.at(-1)?.atMs ?? 0]
  const found: { fromMs: number; said: 'ready' | 'not ready' }[] = []
  for (let fromMs = first; fromMs + windowMs <= last; fromMs += stepMs) {
    const within = sorted.filter((each) => each.atMs >= fromMs && each.atMs <= fromMs + windowMs)
    const said = commonWord(within)
    if (said !== null && new Set(within.map((each) => each.gateway)).size === stage.gateways) found.push({ fromMs, said })
  }
  return found
}

function commonWord(probes: readonly Probe[]): 'ready' | 'not ready' | null {
  if (probes.every((each) => each.ready === 200)) return 'ready'
  return probes.every((each) => each.ready === 503) ? 'not ready' : null
}
