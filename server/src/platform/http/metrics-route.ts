import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { because, refusal } from '../../base/refusal.ts'
import type { Metrics } from '../observe/metrics.ts'
import { refuse } from './answer.ts'
import { isLoopback } from './network-of.ts'

/** `/metrics` in Prometheus's text format: with `token` as bearer; without one only for this machine itself, and 404 for anybody else. */
export function metricsRoute(app: FastifyInstance, metrics: Metrics, token: string | null): void {
  app.get('/metrics', async (request, reply) => {
    if (token === null && !isLocal(request))
      return refuse(reply, refusal('not_found', because('no_page', 'There is nothing at this path.')))
    if (token !== null && !isBearer(request.headers.authorization, token)) {
      reply.header('www-authenticate', 'Bearer')
      return refuse(reply, refusal('unauthorized', 'The bearer token of /metrics is missing or wrong.'))
    }
    reply.header('content-type', metrics.contentType).header('cache-control', 'no-store')
    return metrics.page()
  })
}

/** Hashed first, so that the comparison takes the same time whatever the lengths. */
function isBearer(header: string | undefined, token: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(header ?? ''), digest(`Bearer ${token}`))
}

/** A proxy on the same machine is at loopback too, but says whom it speaks for. */
function isLocal(request: FastifyRequest): boolean {
  const proxied = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via'].some(
    (name) => request.headers[name] !== undefined,
  )
  return !proxied && isLoopback(request.socket.remoteAddress ?? '')
}
