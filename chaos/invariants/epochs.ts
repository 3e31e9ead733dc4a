import type { Run, Violation } from '../histories.ts'

/** I15. After a takeover of a shard no intent is written under a lower epoch; and no message has two intents of the same number. */
export function epochsHold(run: Run): Violation[] {
  const takeovers = Map.groupBy(run.database.takeovers, (each) => each.shard)
  const stale = run.database.intents.flatMap((intent): Violation[] => {
    const later = (takeovers.get(intent.shard) ?? []).find((each) => each.epoch > intent.epoch && each.atMs < intent.atMs)
    return later === undefined
      ? []
      : [{ invariant: 'I15', what: 'An intent was written under an epoch that was over.', evidence: { intent, takeover: later } }]
  })
  const byAttempt = Map.groupBy(run.database.intents, (each) => `${each.messageId} ${each.attempt}`)
  const twice = [...byAttempt.values()].filter((each) => each.length > 1)
  return [
    ...stale,
    ...twice.map((evidence): Violation => ({ invariant: 'I15', what: 'One attempt of a message was begun twice.', evidence })),
  ]
}
