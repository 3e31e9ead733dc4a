import type { Run, Violation } from './histories.ts'
import { acceptedOnce } from './invariants/accepted-once.ts'
import { attemptsSeen } from './invariants/attempts-seen.ts'
import { bounded } from './invariants/bounded.ts'
import { delivered } from './invariants/delivered.ts'
import { drained } from './invariants/drained.ts'
import { duplicates } from './invariants/duplicates.ts'
import { epochsHold } from './invariants/epochs.ts'
import { eventsRecorded } from './invariants/events-recorded.ts'
import { notAfterExpiry } from './invariants/not-after-expiry.ts'
import { noticesApplied } from './invariants/notices-applied.ts'
import { onePerKey } from './invariants/one-per-key.ts'
import { inOrder } from './invariants/order.ts'
import { keepsPace } from './invariants/pace.ts'
import { signed } from './invariants/signatures.ts'
import { statusesClimb } from './invariants/statuses-climb.ts'
import { staysUp } from './invariants/stays-up.ts'
import { usageRecounted } from './invariants/usage-recounted.ts'

const invariants = [
  acceptedOnce,
  onePerKey,
  notAfterExpiry,
  inOrder,
  keepsPace,
  noticesApplied,
  statusesClimb,
  eventsRecorded,
  delivered,
  duplicates,
  signed,
  attemptsSeen,
  epochsHold,
  drained,
  bounded,
  staysUp,
  usageRecounted,
] as const

const shownMax = 3
const evidenceCharactersMax = 400

/** Every broken promise of a run. */
export function checkRun(run: Run): Violation[] {
  return invariants.flatMap((each) => each(run))
}

/** A run in a few lines: how much was looked at, what was broken, and how to play it again. */
export function reportOf(run: Run, violations: readonly Violation[]): string {
  const { seed, mode, gateways, cycles, only } = run.stage
  const { messages, events, deliveries, queue } = run.database
  const unknown = queue.filter((each) => each.state === 2).length
  const faulted = run.sends.filter((each) => each.fault !== null).length
  const lines = [
    `${run.faults.length} faults, ${messages.length} messages, ${unknown} of unknown outcome, ${run.sends.length} calls upstream (${faulted} spoiled),`,
    `${run.notices.length} notices, ${events.length} events, ${deliveries.length} deliveries, ${run.receipts.length} receipts: ${violations.length} violations`,
  ]
  for (const [what, same] of Map.groupBy(violations, (each) => `${each.invariant}: ${each.what}`)) {
    lines.push(`${same.length} × ${what}`)
    for (const { evidence } of same.slice(0, shownMax)) lines.push(`    ${JSON.stringify(evidence).slice(0, evidenceCharactersMax)}`)
  }
  if (violations.length > 0)
    lines.push(
      `To play it again: npm run chaos -- --mode ${mode} --cycles ${cycles} --gateways ${gateways} --seed ${seed}${only.length === 0 ? '' : ` --only ${only.join()}`}`,
    )
  return lines.join('\n')
}
