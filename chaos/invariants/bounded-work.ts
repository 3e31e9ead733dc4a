import type { Run, Violation } from '../histories.ts'

/** Of one gateway with nothing to do, which is some 16. */
const idleTransactionsPerSecondMax = 30
/** Far more than a send needs in a run, whatever happens to it. */
const intentsMax = 50

/** I24. No work is begun again without a bound: gateways that have nothing to do ask little of the database, and no send is begun for ever. */
export function worksWithinBounds(run: Run): Violation[] {
  const { idleTransactionsPerSecond } = run.finish
  const busy = idleTransactionsPerSecond > idleTransactionsPerSecondMax * run.stage.gateways
  const begun = [...Map.groupBy(run.database.intents, (each) => each.messageId)].filter(([, intents]) => intents.length > intentsMax)
  return [
    ...(busy ? [{ invariant: 'I24', what: 'With nothing to do, gateways ask much of the database.', evidence: run.finish }] : []),
    ...begun.map(([id, intents]) => ({
      invariant: 'I24',
      what: 'A send was begun again and again.',
      evidence: { id, intents: intents.length },
    })),
  ]
}
