import { isChannelCode } from '../../platform/upstream/send.ts'
import { expiredText, unknownText } from './move.ts'
import type { TimelineFacts, WaitingBecause } from './timeline-facts.ts'

/** The answer to "why did it not arrive?" in one word, which the console puts into sentences. */
export const diagnosisCodes = [
  // It is where it should be.
  'received',
  'sent',
  'delivered',
  'read',
  // It waits.
  'waiting_for_pace',
  'account_suspended',
  'channel_not_connected',
  'upstream_asked_to_wait',
  'being_sent',
  'file_not_fetched_yet',
  'webhook_pending',
  // It failed.
  'unknown_outcome',
  'expired',
  'window_closed',
  'not_on_whatsapp',
  'recipient_opted_out',
  'held_back_by_platform',
  'payment_problem',
  'file_refused',
  'template_problem',
  'channel_problem',
  'upstream_refused',
  'file_given_up',
  'webhook_failing',
] as const

export type DiagnosisCode = (typeof diagnosisCodes)[number]

/** `errorCode` and `message` are upstream's last words, where it said any. */
export type Diagnosis = { code: DiagnosisCode; errorCode: number | null; message: string | null }

/** Pure. Of a message that people wrote, the customer's system is where it should arrive: so its webhooks count. */
export function diagnose(facts: TimelineFacts): Diagnosis {
  const { message, attempts } = facts
  const code = message.direction === 'inbound' ? ofReceived(facts) : ofSent(facts)
  // An attempt that upstream turned away explains a wait, and what came of it.
  const last = attempts.findLast((each) => each.code !== null)
  const isOpen = message.status === 'queued' || message.status === 'failed'
  return { code, errorCode: message.error?.code ?? (isOpen ? (last?.code ?? null) : null), message: message.error?.message ?? null }
}

function ofReceived({ fetch, events }: TimelineFacts): DiagnosisCode {
  // The event waits for the file.
  if (fetch?.givenUp === false) return 'file_not_fetched_yet'
  const deliveries = events.flatMap((each) => each.deliveries)
  const failed = (status: string, attempts: number) => status === 'failed' || (status === 'pending' && attempts > 0)
  if (deliveries.some((each) => failed(each.status, each.attempts.length))) return 'webhook_failing'
  if (deliveries.some((each) => each.status === 'pending')) return 'webhook_pending'
  return fetch === null ? 'received' : 'file_given_up'
}

const ofWaiting = {
  account_suspended: 'account_suspended',
  channel_not_connected: 'channel_not_connected',
  upstream_asked_to_wait: 'upstream_asked_to_wait',
  pace: 'waiting_for_pace',
  being_sent: 'being_sent',
  unknown_outcome: 'unknown_outcome',
} as const satisfies Record<WaitingBecause, DiagnosisCode>

function ofSent({ message, waiting }: TimelineFacts): DiagnosisCode {
  switch (message.status) {
    case 'read':
    case 'delivered':
    case 'sent':
    case 'received':
      return message.status
    case 'queued':
      // Between two looks: it has left the queue since.
      return waiting === null ? 'being_sent' : ofWaiting[waiting.because]
    case 'failed':
      return ofFailure(message.error)
  }
}

/** Upstream's codes that mean something of their own to people. Source: the error tables of the Cloud API, October 2026. */
const meanings: { readonly [code: number]: DiagnosisCode } = {
  131026: 'not_on_whatsapp',
  131030: 'not_on_whatsapp',
  131042: 'payment_problem',
  131047: 'window_closed',
  131048: 'held_back_by_platform',
  131049: 'held_back_by_platform',
  131050: 'recipient_opted_out',
  131052: 'file_refused',
  131053: 'file_refused',
  130472: 'held_back_by_platform',
  131063: 'held_back_by_platform',
  131064: 'held_back_by_platform',
}

function ofFailure(error: TimelineFacts['message']['error']): DiagnosisCode {
  if (error === null) return 'upstream_refused'
  if (error.code === null)
    return error.message === expiredText ? 'expired' : error.message === unknownText ? 'unknown_outcome' : 'upstream_refused'
  const known = meanings[error.code]
  if (known !== undefined) return known
  if (error.code >= 132_000 && error.code < 133_000) return 'template_problem'
  return isChannelCode(error.code) ? 'channel_problem' : 'upstream_refused'
}
