import type { Run, Violation } from '../histories.ts'

const windowMs = 1_000
/** A machine that does other work may hold up what has started and let it arrive together: the pacer's own tests and P4 hold its starts to 2 %. */
const heldUpMsMax = 250

/** I5. From each number at most so many sends a second arrive upstream, in any second, also while a number goes from one gateway to another. */
export function keepsPace(run: Run): Violation[] {
  const most = Math.ceil((run.stage.sendsPerSecond * (windowMs + heldUpMsMax)) / 1_000)
  const byNumber = Map.groupBy(run.sends, (each) => each.phoneNumberId)
  return [...byNumber].flatMap(([phoneNumberId, sends]) => {
    const times = sends.map((each) => each.monotonicMs).sort((a, b) => a - b)
    let first = 0
    let worst = { count: 0, atMs: 0 }
    for (const [last, atMs] of times.entries()) {
      while ((times[first] ?? atMs) <= atMs - windowMs) first += 1
      if (last - first + 1 > worst.count) worst = { count: last - first + 1, atMs }
    }
    if (worst.count <= most) return []
    return [
      {
        invariant: 'I5',
        what: `A number sent ${worst.count} messages within one second; ${most} are allowed.`,
        evidence: { phoneNumberId, ...worst },
      },
    ]
  })
}
