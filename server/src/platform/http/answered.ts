import type { FastifyReply, FastifyRequest } from 'fastify'
import { parseId, type Uuid } from '../../base/id.ts'
import type { Metrics } from '../observe/metrics.ts'
import type { HttpObservation } from './observation.ts'
import type { RequestId } from './request-id.ts'
import type { RequestLogEntry } from './request-log.ts'

type Deps = {
  metrics: Metrics
  observe: (observation: HttpObservation) => void
  logRequest: (entry: RequestLogEntry) => void
}

/** Up to 5 s fine enough to see a slow one, beyond that only that it was. */
const secondsBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Measures an answer that has gone out, and notes it where the caller is known. */
export function createTeller({ metrics, observe, logRequest }: Deps): (request: FastifyRequest, reply: FastifyReply) => void {
  const seconds = metrics.histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from a request to the end of its answer.',
    labels: ['method', 'route', 'status'],
    buckets: secondsBuckets,
  })
  return (request, reply) => {
    const { method, admitted: caller } = request
    const status = reply.statusCode
    const route = request.routeOptions.url ?? 'unmatched'
    const ms = reply.elapsedTime
    const requestId = request.id as RequestId
    seconds({ method, route, status }, ms / 1000)
    observe({ kind: 'http.answered', requestId, method, route, status, ms })
    // The request log is the customer's system's; what the team does in the console is in the audit log.
    if (caller === null || caller.keyId === null) return
    const { accountId, keyId, livemode } = caller
    const { refusedWith: errorCode } = request
    logRequest({ requestId, accountId, keyId, livemode, method, route, status, errorCode, messageId: messageOf(request), ms })
  }
}

/** The message that a call was about: the one that its answer tells of, else the one that its path names. */
function messageOf({ toldMessage, params }: FastifyRequest): Uuid | null {
  const { id } = (params ?? {}) as { id?: unknown }
  const named = toldMessage ?? id
  return typeof named === 'string' ? parseId('msg', named) : null
}
