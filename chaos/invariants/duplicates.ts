import type { Run, Violation } from '../histories.ts'
import { cutOff, deliveriesSeen } from './receipts-of.ts'

/** I10. An event comes to a receiver again only after it was refused, or when the attempt was under way at a fault; and then with the same bytes. */
export function duplicates(run: Run): Violation[] {
  return deliveriesSeen(run).flatMap((seen): Violation[] => {
    const { receipts, attempts } = seen
    if (new Set(receipts.map((each) => each.body)).size > 1)
      return [{ invariant: 'I10', what: 'An event came with different bytes.', evidence: seen }]
    const taken = receipts.filter((each) => each.answered !== null && each.answered < 300)
    const unexplained = taken.slice(0, -1).filter((each) => !cutOff(run.faults, each.atMs))
    if (unexplained.length > 0)
      return [
        {
          invariant: 'I10',
          what: `An event that was taken came again without a fault (${taken.length} receipts, ${attempts.length} attempts).`,
          evidence: seen,
        },
      ]
    return []
  })
}
