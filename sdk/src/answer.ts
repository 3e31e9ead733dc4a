import { type ErrorCode, type ErrorFacts, PomboError } from './error.ts'
import type { ErrorEnvelope } from './generated/contract.ts'

/** What an answer says beside its body. */
export type ResponseInfo = {
  status: number
  /** The gateway's name for the call, for questions to its operator. */
  requestId: string | null
  /** True when this is the kept answer of an earlier send with the same idempotency key, and nothing was sent again. */
  replayed: boolean
  /** What the rate limit leaves, for the tighter of key and account; null when the answer does not tell. */
  rateLimit: { limit: number; remaining: number; resetSeconds: number } | null
}

export type RawAnswer = { status: number; headers: Headers; text: string }

/** The body of a success with what came beside it, or what went wrong, as a value: whether to try again is decided elsewhere. */
export function readAnswer(raw: RawAnswer, idempotencyKey: string | null): { body: object; info: ResponseInfo } | PomboError {
  const { status, headers, text } = raw
  const body = parsed(text)
  const requestId = headers.get('request-id')
  const facts = { status, requestId, details: [], retryAfter: wholeNumber(headers.get('retry-after')), idempotencyKey }
  if (status >= 200 && status < 300 && body !== null)
    return { body, info: { status, requestId, replayed: headers.get('idempotent-replayed') === 'true', rateLimit: rateLimitOf(headers) } }
  const error = isEnvelope(body) ? body.error : null
  if (error === null) return unexpected(status, facts)
  return new PomboError(error.message, { ...facts, code: error.code, details: error.details ?? [] })
}

function unexpected(status: number, facts: Omit<ErrorFacts, 'code'>): PomboError {
  const code: ErrorCode = 'unexpected_answer'
  return new PomboError(`An answer with status ${status} came that is none of the gateway's. Does baseUrl lead to it?`, { ...facts, code })
}

function rateLimitOf(headers: Headers): ResponseInfo['rateLimit'] {
  const limit = wholeNumber(headers.get('ratelimit-limit'))
  const remaining = wholeNumber(headers.get('ratelimit-remaining'))
  const resetSeconds = wholeNumber(headers.get('ratelimit-reset'))
  return limit === null || remaining === null || resetSeconds === null ? null : { limit, remaining, resetSeconds }
}

function isEnvelope(body: object | null): body is ErrorEnvelope {
  if (body === null || !('error' in body) || typeof body.error !== 'object' || body.error === null) return false
  return 'code' in body.error && typeof body.error.code === 'string' && 'message' in body.error && typeof body.error.message === 'string'
}

function parsed(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' ? value : null
  } catch {
    return null
  }
}

const wholeNumber = (text: string | null): number | null => (text !== null && /^\d{1,9}$/.test(text) ? Number(text) : null)
