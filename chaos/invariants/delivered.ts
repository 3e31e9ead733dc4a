import type { Run, Violation } from '../histories.ts'
import { deliveriesSeen, type Seen, stoodStillMs } from './receipts-of.ts'

const ladderMs = [60_000, 300_000, 1_500_000, 7_200_000, 36_000_000]
const jitter = 1.02
const clockMs = 1_000

const isTaken = (status: number | null) => status !== null && status >= 200 && status <= 299

/** I9. Each event has one delivery to each webhook of its account, which was taken, or has come as far up the ladder as its time allows and goes on. */
export function delivered(run: Run): Violation[] {
  const violations: Violation[] = []
  const byEvent = Map.groupBy(run.database.deliveries, (each) => each.eventId)
  for (const event of run.database.events) {
    const webhooks = run.stage.accounts.find((each) => each.id === event.accountId)?.webhooks ?? []
    for (const webhook of webhooks) {
      const count = (byEvent.get(event.id) ?? []).filter((each) => each.webhookId === webhook.id).length
      if (count !== 1)
        violations.push({
          invariant: 'I9',
          what: `An event has ${count} deliveries to a webhook.`,
          evidence: { event, path: webhook.path },
        })
    }
  }
  for (const seen of deliveriesSeen(run))
    for (const what of problemsOf(run, seen)) violations.push({ invariant: 'I9', what, evidence: seen })
  return violations
}

function problemsOf(run: Run, { delivery, attempts, receipts }: Seen): string[] {
  const problems: string[] = []
  const taken = receipts.some((each) => isTaken(each.answered))
  if (delivery.status === 'succeeded' && !taken) problems.push('A delivery counts as taken and was not.')
  if (delivery.status === 'canceled') problems.push('A delivery was canceled and nobody asked for it.')
  if (delivery.status === 'failed' && attempts.length < 6) problems.push('A delivery was given up before the end of its ladder.')
  if (delivery.attempts !== attempts.length) problems.push(`A delivery counts ${delivery.attempts} attempts and has ${attempts.length}.`)
  for (const [i, attempt] of attempts.entries()) {
    const next = attempts[i + 1]?.startedMs ?? (delivery.status === 'pending' ? delivery.nextMs : null)
    const gapMs = ladderMs[i]
    if (next === null || gapMs === undefined) continue
    const waitedMs = next - (attempt.startedMs + attempt.ms)
    if (waitedMs < gapMs - clockMs) problems.push(`Attempt ${i + 2} comes ${Math.round(waitedMs)} ms after the one before.`)
    // The next one may have waited for a database or a gateway that was away; what is planned may not.
    if (attempts[i + 1] === undefined && waitedMs > gapMs * jitter + clockMs + stoodStillMs(run.faults, attempt))
      problems.push(`Attempt ${i + 2} is planned only ${Math.round(waitedMs)} ms after the one before.`)
  }
  return problems
}
