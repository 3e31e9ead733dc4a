import type { Evidence } from '../evidence.ts'
import { actsAreTrue, reactionsAreNewest, wordsAreNewest } from './acts.ts'
import { doublesOnlyByFaults, everyEventArrives, historyIsTrue, ladderIsKept } from './deliveries.ts'
import { endsAreTrue, endsInTime, inOrder, inPace, neverAgain, nothingLate, oneFate, oneMessageForEachKey, oneOwner } from './sends.ts'
import { eventsAreTrue, givesUpRightly, noticesAreKept, sentIsSent, statusIsHighest } from './statuses.ts'

/** I17: once everything is calm nothing waits any more, and nothing failed for a reason of its own. */
function everythingDrains({ rows, complaints }: Evidence): string[] {
  const left = Object.entries(rows.open).filter(([, count]) => count !== 0)
  return [...left.map(([name, count]) => `${count} of ${name} are left`), ...complaints]
}

/** rule: usage 5. Whatever happened in whatever order, the counters are what a recount of the messages finds. */
function usageIsRight({ rows }: Evidence): string[] {
  return rows.usageDifferences.map(({ day, kind, detail, counted, found }) => `${kind} ${detail} of ${day} is ${counted}, not ${found}`)
}

type Invariant = (evidence: Evidence) => string[]

const invariants = (sendsPerSecond: number): Readonly<Record<string, readonly Invariant[]>> => ({
  I1: [oneFate, neverAgain, endsAreTrue],
  I2: [oneMessageForEachKey],
  I3: [nothingLate, endsInTime],
  I4: [inOrder],
  I5: [(evidence) => inPace(evidence, sendsPerSecond)],
  I6: [noticesAreKept],
  I7: [statusIsHighest, sentIsSent, wordsAreNewest, reactionsAreNewest],
  I8: [eventsAreTrue, givesUpRightly, actsAreTrue],
  I9: [everyEventArrives, ladderIsKept],
  I10: [doublesOnlyByFaults],
  I12: [historyIsTrue],
  I15: [oneOwner],
  I17: [everythingDrains],
  'usage 5': [usageIsRight],
})

/** Every violation of every invariant, with the invariant's name before it; none: the seed is well. */
export function judge(evidence: Evidence, sendsPerSecond: number): string[] {
  return Object.entries(invariants(sendsPerSecond)).flatMap(([name, judges]) =>
    judges.flatMap((each) => each(evidence)).map((words) => `${name}: ${words}`),
  )
}
