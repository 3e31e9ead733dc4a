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

/** One thing that is wrong; `field` is a JSON path such as `contacts[2].name`. */
export type Detail = { message: string; field?: string; code?: string | number }

/** Why the contract does not allow what was asked for; its words are public. */
export type Refusal = { code: RefusalCode; message: string; details?: readonly Detail[] }

export function refusal(code: RefusalCode, message: string, details?: readonly Detail[]): Refusal {
  return details === undefined ? { code, message } : { code, message, details }
}

/** A 400 about one field. The words say what is wrong with it, as a sentence of their own or as the rest of one; its message names the field. */
export function invalidField(field: string, words: string): Refusal {
  return refusal('invalid_request', sentenceAbout(field, words), [{ field, message: words }])
}

/** What begins with a small letter, or with `This`, does not say what it is about. */
function sentenceAbout(field: string, words: string): string {
  if (/^[a-z]/.test(words)) return `${field} ${words}.`
  return words.startsWith('This ') ? `${field}: ${words}` : words
}
