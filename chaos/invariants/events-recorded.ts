import { type MessageRow, type Run, uuidOf, type Violation } from '../histories.ts'

const kinds = ['message.received', 'message.sent', 'message.delivered', 'message.read', 'message.failed'] as const

/** I8. Each change of a message made exactly one event: what its row shows it went through is what was told, no more and no less. */
export function eventsRecorded(run: Run): Violation[] {
  const told = Map.groupBy(run.database.events, (each) => `${uuidOf(each.messageId)} ${each.type}`)
  const known = new Set(run.database.messages.map((each) => each.id))
  const strangers = run.database.events
    .filter((each) => !known.has(uuidOf(each.messageId)))
    .map((evidence): Violation => ({ invariant: 'I8', what: 'An event tells of a message that is not there.', evidence }))
  const wrong = run.database.messages.flatMap((row) =>
    kinds.flatMap((kind): Violation[] => {
      const count = told.get(`${row.id} ${kind}`)?.length ?? 0
      const [least, most] = expected(row, kind)
      if (count >= least && count <= most) return []
      return [{ invariant: 'I8', what: `${kind} was told ${count} times, not ${least}.`, evidence: row }]
    }),
  )
  return [...strangers, ...wrong]
}

/** How often a kind must have been told, at least and at most. */
function expected(row: MessageRow, kind: (typeof kinds)[number]): [number, number] {
  const exactly = (holds: boolean): [number, number] => (holds ? [1, 1] : [0, 0])
  switch (kind) {
    case 'message.received':
      return exactly(row.direction === 'inbound')
    case 'message.sent':
      return exactly(row.sentMs !== null)
    case 'message.delivered':
      return exactly(row.deliveredMs !== null)
    case 'message.read':
      return exactly(row.readMs !== null)
    case 'message.failed':
      // A failure that was lifted later left no trace in the row.
      return row.status === 'failed' ? [1, 1] : [0, row.deliveredMs !== null || row.readMs !== null ? 1 : 0]
  }
}
