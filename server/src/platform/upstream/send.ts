import { unreachable } from '../../base/assert.ts'
import { type Graph, type GraphAnswer, memberOf, parsed, readGraphError } from './graph.ts'

/** What became of one attempt to send, in the terms of the gateway. */
export type SendOutcome =
  | { kind: 'accepted'; wamid: string; input: string | null; waId: string | null; userId: string | null; statusCode: number }
  /** This message is refused; the same again would be too. */
  | { kind: 'refused'; code: number | null; message: string; statusCode: number }
  /** Upstream did not take it and says so, or cannot have seen it: it may be sent again. */
  | { kind: 'not_accepted'; brake: Brake; code: number | null; message: string; statusCode: number | null }
  /** It may have been sent. It is never sent again by us; a status notice tells. */
  | { kind: 'unknown'; because: string; code: number | null; statusCode: number | null }

/** Whom an outcome holds back: nobody, the number's pace, one person, the whole lane for a while, or the lane until the channel is mended. */
export type Brake = 'none' | 'pace' | 'person' | 'lane' | 'channel'

/** Temporary by Meta's word, whatever the HTTP status. Source: the error tables of the Cloud API, October 2026. */
const temporaryCodes = new Set([2, 4, 17, 32, 613, 80007, 80008, 131016, 131048, 131057, 132069, 134101, 2494100])
const throughputCode = 130429
const pairCode = 131056
/** The number itself is unusable: every send would fail alike. */
const channelCodes = new Set([0, 10, 33, 102, 104, 190, 368, 131031, 131042, 131045, 133010])
const unclearCodes = new Set([1, 131000])

export const isChannelCode = (code: number): boolean => channelCodes.has(code) || (code >= 200 && code <= 299)

export type UpstreamSend = {
  phoneNumberId: string
  token: string
  /** JSON text of the whole body. */
  body: string
  /** Monotonic milliseconds by which the first byte must leave. */
  startBy: number
}

/** Posts one message and classifies what came back. Never throws for what upstream or the network does. */
export async function postMessage(graph: Graph, send: UpstreamSend): Promise<SendOutcome> {
  const answer = await graph.call({
    method: 'POST',
    path: `/${send.phoneNumberId}/messages`,
    token: send.token,
    body: send.body,
    startBy: send.startBy,
  })
  return classify(answer)
}

/** The table of outcomes. Pure. */
export function classify(answer: GraphAnswer): SendOutcome {
  switch (answer.kind) {
    case 'not_sent':
      return {
        kind: 'not_accepted',
        brake: answer.because === 'late' ? 'none' : 'lane',
        code: null,
        message: answer.because,
        statusCode: null,
      }
    case 'no_answer':
      return { kind: 'unknown', because: answer.because, code: null, statusCode: null }
    case 'answer':
      return answer.statusCode >= 200 && answer.statusCode < 300 ? accepted(answer) : notOk(answer)
    default:
      return unreachable(answer)
  }
}

type Answered = Extract<GraphAnswer, { kind: 'answer' }>

function accepted({ body, statusCode }: Answered): SendOutcome {
  const value = parsed(body)
  const messages = memberOf(value, 'messages')
  const contacts = memberOf(value, 'contacts')
  const wamid = Array.isArray(messages) ? memberOf(messages[0], 'id') : undefined
  // A 200 that cannot be read: it was most likely taken, so it must not be sent again.
  if (typeof wamid !== 'string' || wamid === '') return { kind: 'unknown', because: 'unreadable answer', code: null, statusCode }
  const contact = Array.isArray(contacts) ? contacts[0] : undefined
  return {
    kind: 'accepted',
    wamid,
    input: textOf(memberOf(contact, 'input')),
    waId: textOf(memberOf(contact, 'wa_id')),
    userId: textOf(memberOf(contact, 'user_id')),
    statusCode,
  }
}

function notOk({ body, statusCode }: Answered): SendOutcome {
  const error = readGraphError(body)
  const code = error?.code ?? null
  const message = error?.message ?? `the platform answered ${statusCode}`
  const notAccepted = (brake: Brake): SendOutcome => ({ kind: 'not_accepted', brake, code, message, statusCode })
  if (code === throughputCode) return notAccepted('pace')
  if (code === pairCode) return notAccepted('person')
  if (code !== null && temporaryCodes.has(code)) return notAccepted('lane')
  if (statusCode === 429) return notAccepted('lane')
  if (code !== null && isChannelCode(code)) return notAccepted('channel')
  const isUnclear = (code !== null && unclearCodes.has(code)) || !isClearNo(statusCode)
  if (isUnclear) return { kind: 'unknown', because: message, code, statusCode }
  if (error !== null || tooLarge.has(statusCode)) return { kind: 'refused', code, message, statusCode }
  // rule: queue 9. Something between us and upstream turned it away. What it says of one send it may not say of others: they go on.
  return notAccepted('person')
}

/** Too large for whatever answers: the same again would be too. */
const tooLarge: ReadonlySet<number> = new Set([413, 414, 431])
/** A proxy gives these of its own when it has waited for upstream, to which it may have passed the send on. */
const mayBePassedOn: ReadonlySet<number> = new Set([408, 499])

const isClearNo = (statusCode: number): boolean => statusCode >= 400 && statusCode < 500 && !mayBePassedOn.has(statusCode)

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)
