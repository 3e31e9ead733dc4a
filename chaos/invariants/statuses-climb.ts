import type { MessageRow, Run, Violation } from '../histories.ts'
import { type ToldStatus, toldBy } from './told-by-notices.ts'

const rank: { readonly [status: string]: number } = { queued: 0, sent: 1, failed: 2, delivered: 3, read: 4 }
/** Upstream tells whole seconds. */
const secondMs = 1_000
/** How much later than upstream we may note a send. */
const lagMsMax = 60_000

/** I7. The last status of a message is the highest that was told of it, and each moment is the one that was told. */
export function statusesClimb(run: Run): Violation[] {
  const taken = Map.groupBy(toldBy(run.notices.filter((each) => each.status === 200)).statuses, (each) => each.wamid)
  // A notice that was kept, but whose answer was lost, counts as well.
  const possible = Map.groupBy(toldBy(run.notices).statuses, (each) => each.wamid)
  return run.database.messages
    .filter((each) => each.livemode && each.direction === 'outbound' && each.wamid !== null)
    .flatMap((row) => {
      const known = { taken: taken.get(row.wamid ?? '') ?? [], possible: possible.get(row.wamid ?? '') ?? [] }
      return problemsOf(row, known).map((what): Violation => ({ invariant: 'I7', what, evidence: { row, ...known } }))
    })
}

function problemsOf(row: MessageRow, { taken, possible }: { taken: readonly ToldStatus[]; possible: readonly ToldStatus[] }): string[] {
  const problems: string[] = []
  const least = Math.max(1, ...taken.map((each) => rank[each.status] ?? 0))
  const most = Math.max(1, ...possible.map((each) => rank[each.status] ?? 0))
  const has = rank[row.status] ?? 0
  if (has < least || has > most) problems.push(`Its status is ${row.status}, which is not the highest that was told.`)
  if (row.status === 'failed' && row.failedMs === null) problems.push('It failed at no moment.')
  if (row.status !== 'failed' && row.failedMs !== null) problems.push(`It is ${row.status} and failed at a moment.`)
  if (row.status !== 'failed' && row.sentMs === null) problems.push(`It is ${row.status} and was sent at no moment.`)
  for (const [status, atMs] of [
    ['delivered', row.deliveredMs],
    ['read', row.readMs],
  ] as const) {
    const told = possible.filter((each) => each.status === status).map((each) => each.seconds * 1_000)
    if (atMs === null) continue
    const asTold = told.some((each) => atMs >= each && atMs < each + secondMs)
    // Where our answer was recorded later than upstream's moment, the two are brought in line.
    const inLine = told.some((each) => each < atMs && atMs - each < lagMsMax) && atMs === row.sentMs
    if (row.sentMs !== null && atMs < row.sentMs && row.sentMs - atMs < lagMsMax) problems.push(`It was ${status} before it was sent.`)
    if (!asTold && !inLine) problems.push(`It was ${status} at a moment that nobody told.`)
  }
  return problems
}
