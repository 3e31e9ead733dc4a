import { unreachable } from '../../base/assert.ts'
import type { Uuid } from '../../base/id.ts'
import { type Message, type Pricing, RANK, type Wamid } from './message.ts'

/** What happened to an outbound message, by whomever it was learnt. */
export type Move =
  | { kind: 'accepted'; wamid: Wamid; at: Date }
  | { kind: 'refused'; code: number | null; message: string; at: Date }
  /** The 15 minutes in the queue are over and it was not sent. */
  | { kind: 'expired'; at: Date }
  /** Upstream did not take it, or cannot have seen it: it waits again. */
  | { kind: 'not_accepted' }
  /** It may have been sent, at `intentAt`: upstream's answer is missing. */
  | { kind: 'outcome_unknown'; intentAt: Date }
  /** Nor did any notice tell in the time after that. */
  | { kind: 'outcome_stays_unknown'; at: Date }
  | StatusMove

export type StatusMove = {
  kind: 'status'
  status: UpstreamStatus
  wamid: Wamid
  at: Date
  pricing: Pricing | null
  error: Message['error']
  /** When the attempt that the notice speaks of began; null where that is not known any more. */
  intentAt: Date | null
}

export type UpstreamStatus = 'sent' | 'delivered' | 'read' | 'failed'

/** A status notice, read. */
export type StatusNotice = {
  accountId: Uuid
  channelId: Uuid
  livemode: boolean
  wamid: Wamid
  status: UpstreamStatus
  at: Date
  /** What we gave upstream with the send and it echoes, if it is of our form. */
  opaque: string | null
  pricing: Pricing | null
  error: Message['error']
}

/** The events that a move can lead to, in the order in which they are told. */
export type MoveEvent = 'message.sent' | 'message.delivered' | 'message.read' | 'message.failed'

export type Moved = { message: Message; events: readonly MoveEvent[] }

export const expiredText = 'The message waited in the send queue for longer than 15 minutes and was not sent.'
export const unknownText =
  'The outcome is unknown: the connection to the platform broke while the message was being sent, and no status has come since. It may have been delivered; it is not sent again.'

/**
 * The message after the move and the events to tell, or null when the move changes nothing. Pure, and written so that the
 * end does not depend on the order in which moves come: each timestamp is set once, the status is the highest seen.
 */
export function moveMessage(message: Message, move: Move): Moved | null {
  if (message.direction === 'inbound') return null
  const moved = movedBy(message, move)
  // rule: receive 12. What was never told of stays untold: only what is known of it changes.
  return moved !== null && message.untold ? { ...moved, events: [] } : moved
}

function movedBy(message: Message, move: Move): Moved | null {
  switch (move.kind) {
    case 'accepted':
      return accept(message, move.wamid, move.at)
    case 'refused':
      return message.status === 'queued' ? fail(message, { code: move.code, message: move.message }, move.at) : null
    case 'expired':
      // rule: states 6
      return message.status === 'queued' && !message.outcomeUnknown ? fail(message, { code: null, message: expiredText }, move.at) : null
    case 'not_accepted':
      return learnNotAccepted(message)
    case 'outcome_unknown':
      return loseAnswer(message, move.intentAt)
    case 'outcome_stays_unknown':
      return giveUpOnAnswer(message, move.at)
    case 'status':
      return applyStatus(message, move)
    default:
      return unreachable(move)
  }
}

function fail(message: Message, error: NonNullable<Message['error']>, at: Date): Moved {
  return { message: { ...message, status: 'failed', error, failedAt: at, outcomeUnknown: false }, events: ['message.failed'] }
}

/** rule: states 2. `sent` means that upstream answered 200 with a wamid, whatever notices came before that answer. */
function accept(message: Message, wamid: Wamid, at: Date): Moved | null {
  if (message.sentAt !== null) return null
  const given = { ...message, wamid, sentAt: notAfterDelivered(message, at), outcomeUnknown: false }
  if (message.outcomeUnknown) return { message: { ...given, status: 'sent', error: null, failedAt: null }, events: ['message.sent'] }
  return { message: { ...given, status: highest(message.status, 'sent') }, events: ['message.sent'] }
}

/** Whoever took the shard over may have taken the outcome for unknown before it was recorded. It is known now, and can expire. */
function learnNotAccepted(message: Message): Moved | null {
  return message.status === 'queued' && message.outcomeUnknown ? { message: { ...message, outcomeUnknown: false }, events: [] } : null
}

/** A notice that overtook the missing answer has told already; else only a notice can tell. */
function loseAnswer(message: Message, intentAt: Date): Moved | null {
  if (message.sentAt !== null || message.outcomeUnknown) return null
  // A failure that was told settles the outcome without a moment of sending, whichever of the two came first.
  if (message.status === 'failed') return { message, events: [] }
  if (message.wamid !== null)
    return {
      message: { ...message, status: highest(message.status, 'sent'), sentAt: notAfterDelivered(message, intentAt) },
      events: ['message.sent'],
    }
  return message.status === 'queued' ? { message: { ...message, outcomeUnknown: true }, events: [] } : null
}

/** It stays marked as unknown, so that a late notice corrects it. */
function giveUpOnAnswer(message: Message, at: Date): Moved | null {
  if (message.status !== 'queued' || !message.outcomeUnknown) return null
  const failed = fail(message, { code: null, message: unknownText }, at)
  return { ...failed, message: { ...failed.message, outcomeUnknown: true } }
}

function applyStatus(message: Message, move: StatusMove): Moved | null {
  const known = { ...message, wamid: message.wamid ?? move.wamid, pricing: message.pricing ?? move.pricing }
  const moved = move.status === 'failed' ? applyFailure(known, move) : applyProgress(known, move, move.status)
  const learnt = known.wamid !== message.wamid || known.pricing !== message.pricing
  return moved.events.length > 0 || learnt ? moved : null
}

function applyProgress(message: Message, move: StatusMove, status: 'sent' | 'delivered' | 'read'): Moved {
  // A failure told before any answer left no moment of sending; what reached the phone was sent.
  const lifts = message.status === 'failed' && message.sentAt === null && status !== 'sent'
  const settled = message.outcomeUnknown || lifts ? settle(message, move) : { message, events: [] }
  // rule: states 7. Upstream's own `sent` says nothing new: we tell it at the answer.
  return status === 'sent' ? settled : climb(settled, status, move.at)
}

/** rule: states 8. A notice proves that a message of unknown outcome was sent: at the intent, which is told first. */
function settle(message: Message, move: StatusMove): Moved {
  return {
    message: { ...message, status: 'sent', sentAt: move.intentAt ?? move.at, outcomeUnknown: false, error: null, failedAt: null },
    events: ['message.sent'],
  }
}

/** rule: states 3, states 4. Each sets its own timestamp once; a later one lifts any failure. */
function climb({ message, events }: Moved, status: 'delivered' | 'read', at: Date): Moved {
  const moment = status === 'delivered' ? 'deliveredAt' : 'readAt'
  if (message[moment] !== null) return { message, events }
  const lifted = message.status === 'failed' ? { error: null, failedAt: null } : {}
  return {
    message: { ...message, ...lifted, status: highest(message.status, status), [moment]: notBeforeSent(message, at) },
    events: [...events, `message.${status}`],
  }
}

/** Upstream tells whole seconds, and we may be behind: within this much its moments are brought in line with ours. */
const lagMsMax = 60_000

/** What reached the phone was sent before: receivers order by these moments. */
function notBeforeSent({ sentAt }: Message, at: Date): Date {
  return sentAt !== null && at < sentAt && sentAt.getTime() - at.getTime() < lagMsMax ? sentAt : at
}

/** The same where the notice overtook the answer: the send is not dated after what came of it. */
function notAfterDelivered({ deliveredAt, readAt }: Message, at: Date): Date {
  const reached = [deliveredAt, readAt].filter((each) => each !== null && each < at && at.getTime() - each.getTime() < lagMsMax)
  return reached.reduce<Date>((earliest, each) => (each !== null && each < earliest ? each : earliest), at)
}

/** rule: states 5. What reached the phone did not fail; a failure whose reason was unknown learns it. */
function applyFailure(message: Message, move: StatusMove): Moved {
  const open = message.status === 'queued' || message.status === 'sent' || message.outcomeUnknown
  return open ? fail(message, move.error ?? { code: null, message: 'The platform gave no reason.' }, move.at) : { message, events: [] }
}

const highest = (a: Message['status'], b: Message['status']) => (RANK[a] >= RANK[b] ? a : b)
