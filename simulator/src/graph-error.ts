import { codeFactsOrPlain } from './codes.ts'
import type { Random } from './random.ts'

/** An error answer before it is written. Everything but `status` and `code` falls back to what the table of codes says. */
export type GraphError = {
  status: number
  code: number
  message: string
  type: 'OAuthException' | 'GraphMethodException'
  details: string | null
  subcode: number | null
  /** What the platform's own pages would show, in the account's language and not in that of the rest. */
  user?: { title: string; message: string }
}

/** The error of a code as the platform words it; `details` is the sentence that says what is wrong with this request. */
export function graphError(code: number, details?: string): GraphError {
  const facts = codeFactsOrPlain(code)
  return {
    status: facts.status,
    code,
    message: `(#${code}) ${facts.title}`,
    type: 'OAuthException',
    details: details ?? facts.details,
    subcode: null,
  }
}

/** Code 100 with a sentence of its own: a parameter that the Graph layer itself refuses. */
export function parameterError(sentence: string): GraphError {
  return { ...graphError(100), message: `(#100) ${sentence}`, details: null }
}

/** An error of making or changing a template: code 100, told apart by the subcode; the words for people are in the account's language. */
export function templateError(subcode: number, title: string, message: string): GraphError {
  return { ...graphError(100), message: 'Invalid parameter', details: null, subcode, user: { title, message } }
}

/** No token, or one that nobody has. */
export function tokenError(): GraphError {
  return { ...graphError(190), message: 'Invalid OAuth access token - Cannot parse access token', details: null }
}

/** An id that does not exist or that this token may not see: the platform tells neither apart. */
export function unknownObjectError(id: string, verb: string): GraphError {
  const message = `Unsupported ${verb} request. Object with ID '${id}' does not exist, cannot be loaded due to missing permissions, or does not support this operation`
  return { status: 400, code: 100, message, type: 'GraphMethodException', details: null, subcode: 33 }
}

/** The body of an error answer, in the platform's own shape. */
export function graphErrorBody(error: GraphError, random: Random): string {
  return JSON.stringify({
    error: {
      message: error.message,
      type: error.type,
      code: error.code,
      ...(error.details === null ? {} : { error_data: { messaging_product: 'whatsapp', details: error.details } }),
      ...(error.subcode === null ? {} : { error_subcode: error.subcode }),
      ...(error.user === undefined ? {} : { is_transient: false, error_user_title: error.user.title, error_user_msg: error.user.message }),
      fbtrace_id: traceId(random),
    },
  })
}

const TRACE_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-'

function traceId(random: Random): string {
  let text = 'A'
  for (let i = 0; i < 10; i += 1) text += TRACE_ALPHABET[random.below(TRACE_ALPHABET.length)]
  return text
}
