import type { FastifyReply } from 'fastify'
import { nearMisses } from '../../base/near-misses.ts'

/** As many fields are named in one header. */
const namedMax = 5

/**
 * Names in the header `Service-Warning` what a body has at its top that is passed on unread and nearly one of these fields. The operation goes on:
 * what it does not know may be upstream's.
 */
// rule: send 16
export function warnOfMisspelt(reply: Pick<FastifyReply, 'header'>, body: object, fields: readonly string[]): void {
  const found = nearMisses(Object.keys(body), fields).slice(0, namedMax)
  if (found.length === 0) return
  reply.header('service-warning', found.map(({ name, known }) => `${name} is passed on unread: is ${known} meant?`).join(' '))
}
