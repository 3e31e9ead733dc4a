import type { Run, Violation } from './histories.ts'

export type Invariant = (run: Run) => Violation[]
export const invariants: readonly Invariant[] = []

/** Every broken promise of a run. */
export function checkRun(run: Run): Violation[] {
  return invariants.flatMap((each) => each(run))
}

/** A few lines about a run. */
export function reportOf(run: Run, _found: readonly Violation[]): string {
  return JSON.stringify(run.finish)
}
