import type { FastifyError, FastifyRequest } from 'fastify'
import { because, type Refusal, refusal } from '../../base/refusal.ts'
import { BatcherFull, BatcherLate } from '../database/batcher.ts'
import { isOutage } from '../database/failure.ts'
import { SharesFull } from '../database/shares.ts'
import { TooMuchToRead } from '../database/steps.ts'
import { GateFull } from './gate.ts'
import type { HttpObservation } from './observation.ts'
import { BodyCut } from './open-bodies.ts'

/** Thrown where Fastify offers no other way out: by a body parser, and by validation. */
export class RequestRefused extends Error {
  readonly refusal: Refusal

  constructor(reason: Refusal) {
    super(reason.message)
    this.refusal = reason
  }
}

/** What Fastify itself refuses, in words that say what to do. */
const frameworkWords: Readonly<Record<string, string>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'The Content-Type is not one that this operation reads; a JSON body needs application/json.',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'The body is not as long as its Content-Length says.',
  FST_ERR_BAD_URL: 'The path is not valid percent-encoded UTF-8.',
}

const unreadable = 'The request could not be read.'
const faultWords = 'Something went wrong on our side. Retrying with the same Idempotency-Key is safe and does not duplicate.'

const tooManyReads = because('busy', 'Too many reads of this account at once. Try again in a second.')

const tooMuchToRead = because(
  'too_much_to_read',
  'What fits is too rare to be found in time. Ask for less, for instance with `since` and `until`, or with fewer filters.',
)

type Failure = { refusal: Refusal; observation: HttpObservation | null; retryAfterSeconds?: number }

/** What the caller is told about something thrown, and what is told to the log: null where the caller is at fault. */
export function failureOf(error: unknown, request: FastifyRequest): Failure {
  if (error instanceof RequestRefused) return { refusal: error.refusal, observation: null }
  if (error instanceof SharesFull) return { refusal: refusal('rate_limited', tooManyReads), observation: null, retryAfterSeconds: 1 }
  if (error instanceof TooMuchToRead) return { refusal: refusal('rate_limited', tooMuchToRead), observation: null, retryAfterSeconds: 1 }
  const refused = frameworkRefusal(error, request)
  if (refused !== null) return { refusal: refused, observation: null }
  return { refusal: refusal('internal_error', faultWords), observation: faultOf(error, request) }
}

function frameworkRefusal(error: unknown, request: FastifyRequest): Refusal | null {
  if (!(error instanceof Error)) return null
  if (error instanceof BodyCut && error.because === 'slow')
    return refusal('invalid_request', because('too_slow', 'The body did not come in time.'))
  if (error instanceof GateFull)
    return refusal('rate_limited', because('busy', 'Too many ask for this at once. Try again in some seconds.'))
  const { code, statusCode } = error as Partial<FastifyError>
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return refusal(
      'invalid_request',
      because('body_too_large', `The body is larger than the ${request.routeOptions.bodyLimit} bytes that this operation reads.`),
    )
  }
  if (code === 'FST_ERR_MAX_PARAM_LENGTH') return refusal('not_found', because('no_page', 'There is nothing at this path.'))
  const words = frameworkWords[code ?? '']
  if (words !== undefined) return refusal('invalid_request', words)
  // Whatever else a plug-in answers with a 4xx: the contract has one code for it.
  return statusCode !== undefined && statusCode >= 400 && statusCode < 500 ? refusal('invalid_request', unreadable) : null
}

function faultOf(error: unknown, request: FastifyRequest): HttpObservation {
  const about = { requestId: request.id, method: request.method, route: request.routeOptions.url ?? 'unmatched' }
  const message = error instanceof Error ? error.message : 'something that is no Error was thrown'
  // What strangers meet is no outage, and must not fill the log.
  if (error instanceof BodyCut && error.isStrangers) return { kind: 'http.stranger_refused', ...about, message }
  const isTooMuch = error instanceof BatcherFull || error instanceof BatcherLate || error instanceof BodyCut
  if (isTooMuch || isOutage(error)) return { kind: 'http.outage', ...about, message }
  return { kind: 'http.bug', ...about, message, stack: error instanceof Error ? (error.stack ?? '') : '' }
}
