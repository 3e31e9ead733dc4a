import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { GraphCall } from './calls.ts'
import { textOf } from './command-body.ts'
import { graphCall, type Told } from './graph-call.ts'
import { type GraphError, graphError, parameterError } from './graph-error.ts'
import { isObject, parseJson } from './json-value.ts'
import { numberFields } from './number-fields.ts'
import { isGraphError, type NumberState, numberFor, numbersOf, wabaRefusal } from './numbers.ts'
import { healthyWaba, wabaFields } from './waba-fields.ts'
import type { World } from './world.ts'

/** A call on the node of a number or a WABA. */
export type NodeQuery = {
  Params: { version: string; id: string }
  Querystring: { fields?: string; limit?: string; after?: string; before?: string; phone_number_id?: string }
}

type NodeRequest = FastifyRequest<NodeQuery>

/** What hangs on numbers and WABAs, apart from their nodes themselves. */
export function numberRoutes(app: FastifyInstance, world: World, node: string): void {
  const answer = (call: GraphCall, handle: (world: World, request: NodeRequest) => Told) => {
    return (request: NodeRequest, reply: FastifyReply) =>
      graphCall(world, { call, id: request.params.id, request, reply }, () => handle(world, request))
  }
  app.get(`${node}/phone_numbers`, answer('numbers-list', listNumbers))
  app.post(`${node}/register`, answer('number-register', register))
  app.post(`${node}/deregister`, answer('number-deregister', deregister))
  app.get(`${node}/subscribed_apps`, answer('subscribed-apps', listSubscribed))
  app.post(`${node}/subscribed_apps`, answer('subscribed-apps', subscribe))
  app.delete(
    `${node}/subscribed_apps`,
    answer('subscribed-apps', (_world, request) => setSubscribed(_world, request, false)),
  )
}

/** Reads the node of a number or a WABA; an id that is neither is refused as the platform does. */
export function readNumberOrWaba(world: World, request: NodeRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { id } = request.params
  const waba = world.directory.wabas.get(id)
  const fields = request.query.fields ?? null
  if (waba !== undefined && !world.directory.numbers.has(id)) {
    return graphCall(world, { call: 'waba-read', id, request, reply }, () => refusedWaba(world, request) ?? wabaFields(id, waba, fields))
  }
  return graphCall(world, { call: 'number-read', id, request, reply }, () =>
    onNumber(world, request, (number) => numberFields(number, fields, world.callback.url)),
  )
}

function onNumber(world: World, request: NodeRequest, tell: (number: NumberState) => Told): Told {
  const { authorization } = request.headers
  const number = numberFor(world.directory, { id: request.params.id, authorization, verb: request.method.toLowerCase() })
  return isGraphError(number) ? number : tell(number)
}

function refusedWaba(world: World, request: NodeRequest): GraphError | null {
  const { authorization } = request.headers
  return wabaRefusal(world.directory, { id: request.params.id, authorization, verb: request.method.toLowerCase() })
}

const PAGE_DEFAULT = 25
const PAGE_MAX = 100

function listNumbers(world: World, request: NodeRequest): Told {
  const refusal = refusedWaba(world, request)
  if (refusal !== null) return refusal
  const { fields = null, after, before, limit = String(PAGE_DEFAULT) } = request.query
  const size = Number(limit)
  if (!Number.isInteger(size) || size < 1) return parameterError('Param limit must be an integer greater than or equal to 1')
  const all = numbersOf(world.directory, request.params.id)
  const page = pageOf(all.length, { after, before, size: Math.min(PAGE_MAX, size) })
  if (page === null) return graphError(131059)
  const data = all.slice(page.from, page.until).map((number) => numberFields(number, fields, world.callback.url))
  const broken = data.find(isGraphError)
  if (broken !== undefined) return broken
  if (data.length === 0) return { data }
  const cursors = { before: cursorOf(page.from), after: cursorOf(page.until) }
  const previous = page.from > 0 ? { previous: linkTo(request, 'before', cursors.before) } : {}
  const next = page.until < all.length ? { next: linkTo(request, 'after', cursors.after) } : {}
  return { data, paging: { cursors, ...previous, ...next } }
}

type Ask = { after: string | undefined; before: string | undefined; size: number }

/** Where a page begins and ends, or null for a cursor that is not one of ours. */
function pageOf(count: number, { after, before, size }: Ask): { from: number; until: number } | null {
  const at = positionOf(after ?? before ?? cursorOf(0))
  if (at === null || at > count) return null
  const from = after === undefined && before !== undefined ? Math.max(0, at - size) : at
  const until = after === undefined && before !== undefined ? at : Math.min(count, at + size)
  return { from, until }
}

function cursorOf(position: number): string {
  return Buffer.from(`at ${position}`, 'latin1').toString('base64')
}

function positionOf(cursor: string): number | null {
  const found = /^at (\d{1,9})$/.exec(Buffer.from(cursor, 'base64').toString('latin1'))
  return found === null ? null : Number(found[1])
}

/** The same call at another place of the list, as the platform writes it. */
function linkTo(request: NodeRequest, side: 'after' | 'before', cursor: string): string {
  const link = new URL(request.url, `http://${request.host}`)
  link.searchParams.delete('after')
  link.searchParams.delete('before')
  link.searchParams.set(side, cursor)
  return link.toString()
}

function register(world: World, request: NodeRequest): Told {
  return onNumber(world, request, (number) => world.registrations.register(number, parseJson(textOf(request.body))) ?? { success: true })
}

function deregister(world: World, request: NodeRequest): Told {
  return onNumber(world, request, (number) => world.registrations.deregister(number) ?? { success: true })
}

function subscribe(world: World, request: NodeRequest): Told {
  const body = parseJson(textOf(request.body))
  // Honest rather than agreeable: notices go to one callback here, so one that asks for another must not believe that it got it.
  if (isObject(body) && body.override_callback_uri !== undefined) return parameterError('The simulator has one callback for all WABAs.')
  return setSubscribed(world, request, true)
}

function setSubscribed(world: World, request: NodeRequest, subscribed: boolean): Told {
  const refusal = refusedWaba(world, request)
  if (refusal !== null) return refusal
  const { id } = request.params
  world.directory.wabas.set(id, { ...(world.directory.wabas.get(id) ?? healthyWaba), subscribed })
  return { success: true }
}

function listSubscribed(world: World, request: NodeRequest): Told {
  const refusal = refusedWaba(world, request)
  if (refusal !== null) return refusal
  const subscribed = world.directory.wabas.get(request.params.id)?.subscribed === true
  const app = {
    whatsapp_business_api_data: {
      id: '4177200000000001',
      name: 'Simulated app',
      link: 'https://www.facebook.com/games/?app_id=4177200000000001',
    },
  }
  return { data: subscribed ? [app] : [] }
}
