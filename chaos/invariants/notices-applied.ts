import type { MessageRow, Run, Violation } from '../histories.ts'
import { toldBy } from './told-by-notices.ts'

/** I6. Whatever a notice told that was answered 200 is in the database, once; nothing waits and nothing was set aside. */
export function noticesApplied(run: Run): Violation[] {
  const violations: Violation[] = []
  const broken = (what: string, evidence: unknown) => violations.push({ invariant: 'I6', what, evidence })
  const byWamid = Map.groupBy(
    run.database.messages.filter((each) => each.livemode && each.wamid !== null),
    (each) => each.wamid ?? '',
  )
  const told = toldBy(run.notices.filter((each) => each.status === 200))
  for (const wamid of new Set(told.inbound)) {
    const rows = byWamid.get(wamid) ?? []
    if (rows.length !== 1) broken(`A message that a person wrote is there ${rows.length} times.`, { wamid, rows })
  }
  for (const { wamid, status } of told.statuses) {
    const [row] = byWamid.get(wamid) ?? []
    if (row === undefined) broken('A status was taken, and its message does not know its wamid.', { wamid, status })
    else if (!hasEffect(row, status)) broken(`The status ${status} was taken and left no trace.`, row)
  }
  for (const [wamid, rows] of byWamid) if (rows.length > 1) broken('Two messages have one wamid.', { wamid, rows })
  if (run.database.waitingNotices > 0) broken(`${run.database.waitingNotices} notices were taken and not worked through.`, {})
  for (const each of run.database.setAside) broken('An item of a notice was set aside.', each)
  return violations
}

function hasEffect(row: MessageRow, status: string): boolean {
  if (status === 'delivered') return row.deliveredMs !== null
  if (status === 'read') return row.readMs !== null
  // A failure that came after a delivery is none.
  if (status === 'failed') return row.status === 'failed' || row.deliveredMs !== null || row.readMs !== null
  return row.sentMs !== null || row.status === 'failed'
}
