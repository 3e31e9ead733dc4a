import { momentOf, type Run, uuidOf, type Violation } from '../histories.ts'

const waitMsMax = 15 * 60_000
const toleranceMs = 2_000
/** Unknown outcomes are given up two minutes later, by a sweep every five seconds. */
const terminalMsMax = waitMsMax + 2 * 60_000 + 10_000

/** I3. Nothing is posted later than fifteen minutes after it was accepted, and whatever is older than that and two minutes has its fate. */
export function notAfterExpiry(run: Run): Violation[] {
  const late = run.sends.flatMap((each): Violation[] => {
    const id = uuidOf((each.opaque ?? '').split('.')[0] ?? '')
    const ageMs = Date.parse(each.at) - momentOf(id)
    return ageMs > waitMsMax + toleranceMs
      ? [{ invariant: 'I3', what: 'A send was posted after its fifteen minutes.', evidence: { ageMs, send: each } }]
      : []
  })
  const stuck = run.database.queue.flatMap((each): Violation[] => {
    const ageMs = run.database.atMs - momentOf(each.messageId)
    return ageMs > terminalMsMax ? [{ invariant: 'I3', what: 'A send is still in the queue after 17 minutes.', evidence: each }] : []
  })
  return [...late, ...stuck]
}
