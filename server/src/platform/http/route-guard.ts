import type { FastifyReply, FastifyRequest, preValidationHookHandler, RouteOptions } from 'fastify'
import { Type } from 'typebox'
import { assert } from '../../base/assert.ts'
import { invalidField } from '../../base/refusal.ts'
import { limits } from '../../limits.ts'
import { consoleApi } from './answer.ts'
import type { Audience } from './caller.ts'
import { RequestRefused } from './failure.ts'
import { optionalBody } from './schema.ts'

type Admit = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply | undefined>

/** Who decides whether a call goes on: under /v1 by key, under the console's own interface by session. */
export type Admissions = { api: Admit; console: Admit }

const noFields = Type.Object({}, { additionalProperties: false })
const noBody = optionalBody(noFields)

/** The part of the console's interface that is about one account. */
export const consoleAccount = `${consoleApi}/accounts/:account_id`

const isBelow = (url: string, prefix: string) => url === prefix || url.startsWith(`${prefix}/`) || url.startsWith(`${prefix}?`)

/** Whether a path belongs to the contract's API, where a key comes before everything else. */
export const isUnderApi = (url: string): boolean => isBelow(url, '/v1')

/** Whether a path belongs to the console's own interface, where a session comes before everything else. */
const isUnderConsole = (url: string): boolean => isBelow(url, consoleApi)

/** Whether a path is about one account of the console. */
export const isOnConsoleAccount = (url: string): boolean => isBelow(url, consoleAccount)

/**
 * Makes a route under /v1 or the console's interface safe by default: it must say who may call it, admission runs before its body is
 * read, and what its schemas leave out is a query or a body without any fields. Throws at registration when that is not possible.
 */
export function guardRoute(route: RouteOptions, { api, console }: Admissions): void {
  if (!isUnderApi(route.url) && !isUnderConsole(route.url)) return
  const admit = isUnderApi(route.url) ? api : console
  const name = `${String(route.method)} ${route.url}`
  const access = route.config?.access
  assert(access !== undefined, `${name} does not say in config.access who may call it`)
  assert(isRightAudience(route.url, access), `${name} is on an account or not, but its config.access says otherwise`)
  const hooks = [route.onRequest ?? []].flat()
  // Who signs in or opens a link sends some hundred bytes.
  if (access === 'anybody') route.bodyLimit ??= limits.openBodyBytesMax
  // The HEAD route that Fastify makes of a GET comes here as a copy, hook and all.
  if (!hooks.includes(admit as never)) route.onRequest = [admit as never, ...hooks]

  route.schema ??= {}
  const { schema } = route
  const headers = Object.keys((schema.headers as { properties?: object } | undefined)?.properties ?? {})
  if (headers.length > 0) route.preValidation = [onceEach(headers), ...[route.preValidation ?? []].flat()]
  schema.querystring ??= noFields
  assert(
    (schema.querystring as { additionalProperties?: unknown }).additionalProperties === false,
    `${name} would pass over unknown fields of a query: make its schema with query()`,
  )
  // Whoever reads another kind of body (a form) says so, and looks at it alone.
  if (schema.consumes === undefined && [route.method].flat().some((method) => method !== 'GET' && method !== 'HEAD')) schema.body ??= noBody
}

/** rule: requests 7. Node joins what comes twice to one text, which nobody wrote. */
function onceEach(headers: readonly string[]): preValidationHookHandler {
  return ({ raw: { rawHeaders } }, _reply, done) => {
    const twice = headers.find((name) => rawHeaders.filter((each, i) => i % 2 === 0 && each.toLowerCase() === name).length > 1)
    done(twice === undefined ? undefined : new RequestRefused(invalidField(twice, 'may be given only once')))
  }
}

/** A route on an account asks for a scope; the console's others only whether one has signed in. */
function isRightAudience(url: string, access: Audience): boolean {
  return (isUnderApi(url) || isOnConsoleAccount(url)) === (typeof access === 'object')
}
