import { createHash } from 'node:crypto'
import type { Simulated } from './simulation.ts'

/**
 * One word for all that happened. Nothing random that no seed repeats goes in: no ids, and no moments of deliveries, whose
 * jitter comes from their ids.
 */
export function historyHash(simulated: Simulated): string {
  return createHash('sha256').update(historyLines(simulated).join('\n')).digest('hex').slice(0, 16)
}

/** The same as text, one line for each thing that happened: what to compare when two runs of a seed differ. */
function historyLines({ startMs, evidence }: Simulated): string[] {
  const since = (ms: number | null) => (ms === null ? null : ms - startMs)
  const lines = [
    ...evidence.requests.flatMap(({ label, calls }) =>
      calls.map((each) => ['call', label, each.text, since(each.atMs), since(each.endedAtMs), wordOf(each)]),
    ),
    ...evidence.posts.map((each) => [
      'post',
      each.label,
      each.n,
      each.process,
      since(each.atMs),
      each.truth,
      since(each.acceptedAtMs),
      since(each.answeredAtMs),
    ]),
    ...evidence.statuses.map((each) => ['status', each.label, each.status, each.tellings, since(each.takenAtMs)]),
    ...evidence.inbound.map((each) => ['inbound', each.label, each.tellings, since(each.takenAtMs)]),
    ...evidence.acts.map((each) => ['act', each.label, each.act.kind, each.tellings, since(each.takenAtMs)]),
    ...evidence.rows.reactions.map((each) => ['reaction', each.label, each.person, each.emoji]),
    ...evidence.rows.messages.map((each) => [
      'message',
      each.label,
      each.text,
      each.status,
      each.errorCode,
      each.errorMessage,
      since(each.sentAtMs),
      since(each.deliveredAtMs),
      since(each.readAtMs),
      since(each.failedAtMs),
    ]),
    ...evidence.rows.events.map((each) => ['event', each.label, each.type, each.status, since(each.createdAtMs)]),
    ...evidence.rows.deliveries.map((each) => ['delivery', each.webhook, each.status, each.attempt]),
  ]
  return lines.map((line) => JSON.stringify(line)).sort()
}

const wordOf = ({ answer }: { answer: { kind: string; code?: string; replayed?: boolean } }) =>
  `${answer.kind} ${answer.code ?? ''} ${answer.replayed ?? ''}`
