import type { ReasonCode, reasons } from './reasons.ts'

/** Every error that the contract knows, with its HTTP status. Closed: nothing else ever reaches a caller. */
export const REFUSALS = {
  invalid_request: 400,
  unauthorized: 401,
  account_suspended: 402,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  idempotency_conflict: 409,
  channel_not_connected: 409,
  channel_ambiguous: 422,
  outside_customer_service_window: 422,
  recipient_opted_out: 422,
  rate_limited: 429,
  meta_error: 502,
  internal_error: 500,
} as const

export type RefusalCode = keyof typeof REFUSALS

/** Why, for a program that words it itself. */
export type Reason = { code: ReasonCode; params: Readonly<Record<string, string | number>> }

/** One thing that is wrong; `field` is a JSON path such as `contacts[2].name`. The reason is told to the console alone. */
export type Detail = { message: string; field?: string; code?: string | number; reason?: Reason }

/** Why the contract does not allow what was asked for; its words are public, its reason is told to the console alone. */
export type Refusal = { code: RefusalCode; message: string; details?: readonly Detail[]; reason?: Reason }

/** A sentence for callers of the API, with the reason by which the console says the same in its reader's language. */
export type Sentence = { words: string; reason: Reason }

type ParamsOf<Code extends ReasonCode> = Readonly<Record<(typeof reasons)[Code][number], string | number>>
type NoParams = { length: 0 }

/** A sentence with its reason, and with what the reason's own sentence fills in. */
export function because<Code extends ReasonCode>(
  code: Code,
  words: string,
  ...[params]: (typeof reasons)[Code] extends NoParams ? [] : [ParamsOf<Code>]
): Sentence {
  return { words, reason: { code, params: params ?? {} } }
}

export function refusal(code: RefusalCode, why: string | Sentence, details?: readonly Detail[]): Refusal {
  const said = typeof why === 'string' ? { message: why } : { message: why.words, reason: why.reason }
  return details === undefined ? { code, ...said } : { code, ...said, details }
}

/** A 400 about one field. The words say what is wrong with it, as a sentence of their own or as the rest of one; its message names the field. */
export function invalidField(field: string, why: string | Sentence): Refusal {
  const { words, reason } = typeof why === 'string' ? { words: why, reason: undefined } : why
  const because = reason === undefined ? {} : { reason }
  const details = [{ field, message: words, ...because }]
  return { ...refusal('invalid_request', sentenceAbout(field, words), details), ...because }
}

/** What begins with a small letter, or with `This`, does not say what it is about. */
function sentenceAbout(field: string, words: string): string {
  if (/^[a-z]/.test(words)) return `${field} ${words}.`
  return words.startsWith('This ') ? `${field}: ${words}` : words
}
