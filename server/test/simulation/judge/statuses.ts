import type { Evidence, MessageRow, StatusName, ToldStatus } from '../evidence.ts'
import { isActEvent } from './acts.ts'
import { outbound, postsOf, saysUnknown } from './sends.ts'

const rank: Readonly<Record<string, number>> = { queued: 0, sent: 1, failed: 2, delivered: 3, read: 4 }

const toldOf = ({ statuses }: Evidence, label: string): ToldStatus[] => statuses.filter((each) => each.label === label)
const has = (told: readonly ToldStatus[], status: StatusName) => told.some((each) => each.status === status)

/** I6: all that was told was taken in the end, and what people wrote is there once. */
export function noticesAreKept(evidence: Evidence): string[] {
  const open = [...evidence.statuses, ...evidence.inbound, ...evidence.acts].filter((each) => each.takenAtMs === null)
  const received = evidence.rows.messages.filter((each) => each.direction === 'inbound')
  return [
    ...open.map((each) => `what was told of ${each.label} was never taken`),
    ...evidence.inbound.flatMap(({ label }) => {
      const rows = received.filter((each) => each.label === label && each.wamid === `wamid.IN-${label}`).length
      return rows === 1 ? [] : [`${label} is there ${rows} times`]
    }),
    // What was only acted on has a placeholder.
    ...received
      .filter(({ label }) => ![...evidence.inbound.map((each) => each.label), ...evidence.acts.map((each) => each.target)].includes(label))
      .map(({ label }) => `nobody wrote ${label}`),
  ]
}

/** I7: the status is the highest that was told, each moment is upstream's, and nothing is told that was not. */
export function statusIsHighest(evidence: Evidence): string[] {
  return outbound(evidence).flatMap((message) => {
    const told = toldOf(evidence, message.label)
    return [...wrongMoments(message, told), ...wrongStatus(evidence, message, told)].map((words) => `${message.label} ${words}`)
  })
}

function wrongStatus(evidence: Evidence, message: MessageRow, told: readonly ToldStatus[]): string[] {
  const highest = told.reduce((best, { status }) => Math.max(best, rank[status] ?? 0), 0)
  if (highest > 0)
    return highest === rank[message.status] ? [] : [`is ${message.status} though ${told.map((each) => each.status).join()} was told`]
  const posts = postsOf(evidence, message.label)
  const isSent = posts.some((each) => each.acceptedAtMs !== null)
  return message.status === 'failed' || (message.status === 'sent' && isSent) ? [] : [`is ${message.status} though nothing was told`]
}

/** How far our moments may lie behind upstream's. */
const lagMsMax = 60_000

function wrongMoments(message: MessageRow, told: readonly ToldStatus[]): string[] {
  const moments = [
    { name: 'delivered' as const, ms: message.deliveredAtMs },
    { name: 'read' as const, ms: message.readAtMs },
  ]
  return moments.flatMap(({ name, ms }) => {
    const at = told.find((each) => each.status === name)?.at.getTime() ?? null
    // Upstream's moment may lie before our moment of sending, and is then shown as that one.
    const isRight = ms === at || (ms !== null && at !== null && ms === message.sentAtMs && ms - at < lagMsMax && ms > at)
    return isRight ? [] : [`has ${name} at ${ms}, told ${at}`]
  })
}

/** I8: exactly the events of the true history, each once. */
export function eventsAreTrue(evidence: Evidence): string[] {
  const byLabel = Map.groupBy(
    evidence.rows.events.filter((each) => !isActEvent(each.type)),
    (each) => each.label,
  )
  const expected = new Map<string, string[]>()
  for (const message of outbound(evidence)) expected.set(message.label, eventsOf(evidence, message))
  for (const { label } of evidence.inbound) expected.set(label, ['message.received'])
  return [...new Set([...byLabel.keys(), ...expected.keys()])].flatMap((label) => {
    const found = (byLabel.get(label) ?? []).map((each) => each.type).sort()
    const wanted = (expected.get(label) ?? []).toSorted()
    return found.join() === wanted.join() ? [] : [`${label} was told as [${found.join()}], not as [${wanted.join()}]`]
  })
}

function eventsOf(evidence: Evidence, message: MessageRow): string[] {
  const told = toldOf(evidence, message.label)
  const gaveUp = evidence.rows.events.some(
    (each) => each.label === message.label && saysUnknown(each.errorMessage) && each.type === 'message.failed',
  )
  const wasRefused = message.status === 'failed' && !saysUnknown(message.errorMessage) && !has(told, 'failed')
  return [
    ...(message.sentAtMs === null ? [] : ['message.sent']),
    ...(has(told, 'delivered') ? ['message.delivered'] : []),
    ...(has(told, 'read') ? ['message.read'] : []),
    ...(has(told, 'failed') ? ['message.failed'] : []),
    ...(wasRefused ? ['message.failed'] : []),
    ...(gaveUp ? ['message.failed'] : []),
  ]
}

const graceMs = 17 * 60_000

/** I8: nothing is given up before its seventeen minutes, and what was told in time is never given up. */
export function givesUpRightly(evidence: Evidence): string[] {
  const byLabel = new Map(outbound(evidence).map((each) => [each.label, each]))
  return evidence.rows.events.flatMap((event) => {
    if (event.type !== 'message.failed' || !saysUnknown(event.errorMessage)) return []
    const createdAtMs = byLabel.get(event.label)?.createdAtMs ?? 0
    const toldInTime = toldOf(evidence, event.label).some((each) => each.takenAtMs !== null && each.takenAtMs < event.createdAtMs - 30_000)
    if (event.createdAtMs - createdAtMs < graceMs) return [`${event.label} was given up too early`]
    return toldInTime ? [`${event.label} was given up although its status was told in time`] : []
  })
}

/** A message that was answered as sent in time has that moment, whatever came before or after. */
export function sentIsSent(evidence: Evidence): string[] {
  return outbound(evidence).flatMap((message) => {
    const told = toldOf(evidence, message.label)
    const mustBeSent = has(told, 'delivered') || has(told, 'read') || message.status === 'sent'
    const wasTaken = postsOf(evidence, message.label).some((each) => each.acceptedAtMs !== null)
    if (mustBeSent && message.sentAtMs === null) return [`${message.label} is ${message.status} and was never sent`]
    return message.sentAtMs !== null && !wasTaken ? [`${message.label} has a moment of sending and was never taken`] : []
  })
}
