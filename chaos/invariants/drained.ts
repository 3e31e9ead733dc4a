import type { Run, Violation } from '../histories.ts'

/** I17. Once the faults are over everything drains: nothing waits, and nothing is in flight that nobody works on. An unknown outcome may wait for its notice. */
export function drained(run: Run): Violation[] {
  const violations: Violation[] = []
  const broken = (what: string, evidence: unknown) => violations.push({ invariant: 'I17', what, evidence })
  if (!run.finish.drained) broken(`After the last fault not all has drained: ${run.finish.leftOver}.`, run.finish)
  for (const row of run.database.queue.filter((each) => each.state !== 2))
    broken(row.state === 0 ? 'A send still waits.' : 'A send is in flight, and nobody works on it.', row)
  for (const row of run.database.deliveries) {
    if (row.status === 'pending' && (row.nextMs ?? 0) < run.database.atMs - 2_000) broken('A delivery is due, and nobody works on it.', row)
  }
  return violations
}
