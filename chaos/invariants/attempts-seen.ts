import type { AttemptRow, Receipt, Run, Violation } from '../histories.ts'
import { cutOff, deliveriesSeen, stoodStillMs } from './receipts-of.ts'

/** Between what a gateway and a receiver call the moment of one attempt. */
const clockMs = 1_500
/** What came just before the database was read may not have been recorded yet. */
const recordedMsMax = 2_000

/** I12. The history of attempts is what receivers saw: each attempt with a status has its receipt, each receipt its attempt, save those cut off by a fault. */
export function attemptsSeen(run: Run): Violation[] {
  return deliveriesSeen(run).flatMap((seen) => {
    const left = [...seen.receipts]
    const violations: Violation[] = []
    for (const attempt of seen.attempts) {
      const i = left.findIndex((receipt) => belongs(attempt, receipt, clockMs + stoodStillMs(run.faults, attempt)))
      if (i >= 0) left.splice(i, 1)
      else if (attempt.statusCode !== null)
        violations.push({ invariant: 'I12', what: 'An attempt is in the history and no receiver saw it.', evidence: { attempt, seen } })
    }
    for (const attempt of seen.attempts) dropHungUp(left, attempt, clockMs + stoodStillMs(run.faults, attempt))
    for (const receipt of left)
      if (receipt.atMs < run.database.atMs - recordedMsMax && !cutOff(run.faults, receipt.atMs))
        violations.push({ invariant: 'I12', what: 'A receiver saw an attempt that is not in the history.', evidence: { receipt, seen } })
    return violations
  })
}

/** rule: delivery 16. One attempt may have posted twice, where the receiver hung up the first time: on a resting connection, then on a fresh one. */
function dropHungUp(left: Receipt[], { startedMs, ms }: AttemptRow, lateMsMax: number): void {
  const i = left.findIndex(({ answered, atMs }) => answered === null && atMs >= startedMs - clockMs && atMs <= startedMs + ms + lateMsMax)
  if (i >= 0) left.splice(i, 1)
}

function belongs(attempt: AttemptRow, receipt: Receipt, lateMsMax: number): boolean {
  const inTime = receipt.atMs >= attempt.startedMs - clockMs && receipt.atMs <= attempt.startedMs + attempt.ms + lateMsMax
  return inTime && (attempt.statusCode === null || attempt.statusCode === receipt.answered)
}
