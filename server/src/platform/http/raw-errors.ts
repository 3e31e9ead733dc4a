import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../../base/clock.ts'
import { refusal } from '../../base/refusal.ts'
import { admit } from './admission.ts'
import { errorBody, refuse } from './answer.ts'
import { failureOf } from './failure.ts'
import type { HttpObservation } from './observation.ts'
import { newRequestId } from './request-id.ts'
import { isUnderApi } from './route-guard.ts'

type Deps = Parameters<typeof admit>[0] & { clock: Clock; observe: (observation: HttpObservation) => void }

/** Answers what the router itself refuses (a path that is no UTF-8, or too long). No hook has run, so all of it happens here. */
export function answerFrameworkError(deps: Deps, error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  // Such a request lacks the decorations of the others.
  request.admitted = null
  reply.header('request-id', request.id)
  const { refusal: reason } = failureOf(error, request)
  const known = isUnderApi(request.url) ? admit(deps, request, reply) : Promise.resolve(true)
  known.then(
    (admitted) => admitted && refuse(reply, reason),
    (failure) => {
      const failed = failureOf(failure, request)
      if (failed.observation !== null) deps.observe(failed.observation)
      refuse(reply, failed.refusal)
    },
  )
}

const wordsOf: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'The headers are larger than 16 KB.',
  HPE_INVALID_METHOD: 'The method is not one of HTTP.',
  ERR_HTTP_REQUEST_TIMEOUT: 'The request did not arrive in time.',
}

/** Answers what is not HTTP at all: there is no request to speak of, only a connection, which ends with the answer. */
export function answerUnparsable(deps: Deps, error: Error & { code?: string }, socket: Socket): void {
  const code = error.code ?? 'unknown'
  // The other side is gone, or an answer is under way on this connection: another one would be read as part of it.
  if (code === 'ECONNRESET' || !socket.writable || ('_httpMessage' in socket && socket._httpMessage !== null)) {
    socket.destroy()
    return
  }
  const requestId = newRequestId(deps.clock.now())
  const body = errorBody(refusal('invalid_request', wordsOf[code] ?? 'This is not a valid HTTP request.'), requestId)
  deps.observe({ kind: 'http.unreadable', requestId, code })
  const head = [
    'HTTP/1.1 400 Bad Request',
    `Request-Id: ${requestId}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}
