import type { ErrorEnvelope } from './generated/contract.ts'

/**
 * The contract's codes for what the gateway refuses; and three for calls that got no answer of it: `connection_failed` (it could not be reached,
 * or the answer broke off), `timeout` (the call's time was over), `unexpected_answer` (something else answered, such as a proxy).
 */
export type ErrorCode = ErrorEnvelope['error']['code'] | 'connection_failed' | 'timeout' | 'unexpected_answer'

/** One thing that is wrong with a request; `field` says where, as in `contacts[2].name`. */
export type ErrorDetail = NonNullable<ErrorEnvelope['error']['details']>[number]

export type ErrorFacts = {
  code: ErrorCode
  status: number | null
  requestId: string | null
  details: readonly ErrorDetail[]
  retryAfter: number | null
  idempotencyKey: string | null
}

/** Every call that fails rejects with it, unless its own `signal` ended it: then with the signal's reason. */
export class PomboError extends Error {
  readonly code: ErrorCode
  /** The HTTP status; null when there was no answer. */
  readonly status: number | null
  /** The gateway's name for the call, for questions to its operator; null when it never answered. */
  readonly requestId: string | null
  readonly details: readonly ErrorDetail[]
  /** Seconds after which the call may be made again; null when the gateway did not say. */
  readonly retryAfter: number | null
  /** The key of the send: whoever sends again with it never sends twice, whatever became of this call. Null for other operations. */
  readonly idempotencyKey: string | null

  constructor(message: string, facts: ErrorFacts, options?: ErrorOptions) {
    super(message, options)
    this.name = 'PomboError'
    this.code = facts.code
    this.status = facts.status
    this.requestId = facts.requestId
    this.details = facts.details
    this.retryAfter = facts.retryAfter
    this.idempotencyKey = facts.idempotencyKey
  }
}
