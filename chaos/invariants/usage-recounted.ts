import type { Run, Violation } from '../histories.ts'

/** Rule usage 5. The counters of usage are what a recount of the messages finds. */
export function usageRecounted(run: Run): Violation[] {
  return run.database.usageDifferences.map((evidence) => ({
    invariant: 'usage 5',
    what: 'A counter of usage is not what the messages say.',
    evidence,
  }))
}
