import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { Type } from 'typebox'
import { assert } from '../../base/assert.ts'
import { optionalBody } from './schema.ts'

type Admit = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply | undefined>

const noFields = Type.Object({}, { additionalProperties: false })
const noBody = optionalBody(noFields)

/** Whether a path belongs to the contract's API, where a key comes before everything else. */
export function isUnderApi(url: string): boolean {
  return url === '/v1' || url.startsWith('/v1/') || url.startsWith('/v1?')
}

/**
 * Makes a route under /v1 safe by default: it must say who may call it, admission runs before its body is read, and what its
 * schemas leave out is a query or a body without any fields. Throws at registration when that is not possible.
 */
export function guardRoute(route: RouteOptions, admit: Admit): void {
  if (!isUnderApi(route.url)) return
  const name = `${String(route.method)} ${route.url}`
  assert(route.config?.access !== undefined, `${name} does not say in config.access who may call it`)
  const hooks = [route.onRequest ?? []].flat()
  // The HEAD route that Fastify makes of a GET comes here as a copy, hook and all.
  if (!hooks.includes(admit as never)) route.onRequest = [admit as never, ...hooks]

  route.schema ??= {}
  const { schema } = route
  schema.querystring ??= noFields
  assert(
    (schema.querystring as { additionalProperties?: unknown }).additionalProperties === false,
    `${name} would pass over unknown fields of a query: make its schema with query()`,
  )
  // Whoever reads another kind of body (a form) says so, and looks at it alone.
  if (schema.consumes === undefined && [route.method].flat().some((method) => method !== 'GET' && method !== 'HEAD')) schema.body ??= noBody
}
