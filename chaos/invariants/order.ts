import { type Run, uuidOf, type Violation } from '../histories.ts'
import { acceptancesOf } from './accepted-once.ts'

type Asked = { id: string; key: string; firstAskedMs: number; acceptedMs: number; arrival: number; to: string }

/**
 * I4. To each person from each number sends arrive upstream in the order in which they were accepted, as far as that order is known from outside: the one
 * was answered 202 before the other was asked for. Sends that never arrived are left out.
 */
export function inOrder(run: Run): Violation[] {
  const arrivals = acceptancesOf(run.sends)
  const firstAskedMs = new Map<string, number>()
  for (const { key, atMs } of run.requests) firstAskedMs.set(key, Math.min(atMs, firstAskedMs.get(key) ?? atMs))
  const toOf = new Map(run.requests.map((each) => [each.key, `${each.channelId} ${each.to}`]))
  const asked = new Map<string, Asked>()
  for (const answer of run.answers) {
    if (answer.status !== 202 || answer.id === null) continue
    const id = uuidOf(answer.id)
    const arrival = arrivals.get(id)?.[0]?.sequence
    const before = asked.get(id)
    if (arrival === undefined || (before !== undefined && before.acceptedMs <= answer.atMs)) continue
    asked.set(id, {
      id,
      key: answer.key,
      firstAskedMs: firstAskedMs.get(answer.key) ?? 0,
      acceptedMs: answer.atMs,
      arrival,
      to: toOf.get(answer.key) ?? '',
    })
  }
  return [...Map.groupBy(asked.values(), (each) => each.to).values()].flatMap(overtaken)
}

function overtaken(sends: readonly Asked[]): Violation[] {
  const byArrival = [...sends].sort((a, b) => a.arrival - b.arrival)
  const violations: Violation[] = []
  // Whoever arrived so far and was asked for last: a later arrival that was accepted before then came too late.
  let newest: Asked | null = null
  for (const each of byArrival) {
    if (newest !== null && each.acceptedMs < newest.firstAskedMs)
      violations.push({
        invariant: 'I4',
        what: 'A send overtook an earlier one to the same person.',
        evidence: { earlier: each, later: newest },
      })
    if (newest === null || each.firstAskedMs > newest.firstAskedMs) newest = each
  }
  return violations
}
