import type { Run, Violation } from './histories.ts'
import { acceptedOnce } from './invariants/accepted-once.ts'
import { attemptsSeen } from './invariants/attempts-seen.ts'
import { bounded } from './invariants/bounded.ts'
import { worksWithinBounds } from './invariants/bounded-work.ts'
import { delivered } from './invariants/delivered.ts'
import { drained } from './invariants/drained.ts'
import { duplicates } from './invariants/duplicates.ts'
import { epochsHold } from './invariants/epochs.ts'
import { eventsRecorded } from './invariants/events-recorded.ts'
import { notAfterExpiry } from './invariants/not-after-expiry.ts'
import { noticesApplied } from './invariants/notices-applied.ts'
import { onePerKey } from './invariants/one-per-key.ts'
import { inOrder } from './invariants/order.ts'
import { othersGoOn } from './invariants/others-go-on.ts'
import { keepsPace } from './invariants/pace.ts'
import { readyTells } from './invariants/ready-tells.ts'
import { signed } from './invariants/signatures.ts'
import { neverStandsStill } from './invariants/stalls.ts'
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
  othersGoOn,
  readyTells,
  neverStandsStill,
  worksWithinBounds,
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
    `${run.faults.length} faults, ${run.troubles.length} troubles, ${messages.length} messages, ${unknown} of unknown outcome, ${run.sends.length} calls upstream (${faulted} spoiled),`,
    `${run.notices.length} notices, ${events.length} events, ${deliveries.length} deliveries, ${run.receipts.length} receipts: ${violations.length} violations`,
  ]
  lines.push(figuresOf(run))
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

/** What was measured, whether or not it was within its bound. */
function figuresOf({ answers, requests, probes, finish }: Run): string {
  const asked = new Map(requests.map((each) => [`${each.key} ${each.attempt}`, each.atMs]))
  const took = answers.flatMap((each) => (each.status === 202 ? [each.atMs - (asked.get(`${each.key} ${each.attempt}`) ?? each.atMs)] : []))
  const p99Ms = took.sort((a, b) => a - b)[Math.ceil(0.99 * took.length) - 1] ?? 0
  const stalls = probes.flatMap((each) => (each.stallMs === null ? [] : [each.stallMs]))
  const stall = stalls.length === 0 ? 'no event loop was measured' : `the longest stall ${Math.round(Math.max(...stalls))} ms`
  return `accepted within ${p99Ms} ms (p99), ${stall}, ${finish.idleTransactionsPerSecond.toFixed(1)} transactions a second when idle`
}
