import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { GraphCall } from './calls.ts'
import { textOf } from './command-body.ts'
import { graphCall, type Told } from './graph-call.ts'
import { graphError, parameterError } from './graph-error.ts'
import { isObject, parseJson } from './json-value.ts'
import { deleteMedia, lookUpMedia, mediaRoutes } from './media-routes.ts'
import { numberFields } from './number-fields.ts'
import { isGraphError, numberFor, numbersOf, wabaRefusal } from './numbers.ts'
import { receiveSend, recordUnread } from './receive-send.ts'
import { enact, errorReply } from './reply.ts'
import type { World } from './world.ts'

type Params = { Params: { version: string; id: string } }
type NodeQuery = Params & { Querystring: { fields?: string; limit?: string; after?: string; phone_number_id?: string } }

/** The id of a number or a WABA, under a version such as v24.0. */
const NODE = '/:version(^v\\d+\\.\\d+$)/:id'

/** The platform's own face: what lives under `/v24.0/…`. Bodies reach the handlers as the text that came. */
export function graphRoutes(app: FastifyInstance, world: World): void {
  const resetEarly = async (request: FastifyRequest<Params>, reply: FastifyReply) => {
    if (!world.faults.takeBeforeReading(request.params.id)) return
    recordUnread(world, { phoneNumberId: request.params.id, authorization: undefined, raw: '' })
    enact(world, reply, { kind: 'reset' })
  }
  app.post<Params>(`${NODE}/messages`, { onRequest: resetEarly }, async (request, reply) => {
    const { authorization } = request.headers
    enact(world, reply, await receiveSend(world, { phoneNumberId: request.params.id, authorization, raw: textOf(request.body) }))
    return reply
  })
  app.get<NodeQuery>(NODE, (request, reply) => readNode(world, request, reply))
  app.delete<NodeQuery>(NODE, (request, reply) => deleteMedia(world, request, reply))
  mediaRoutes(app, world, NODE)
  numberRoutes(app, world)
  app.setNotFoundHandler((request, reply) => {
    const message = `Unknown path components: ${request.url.split('?')[0]}`
    enact(world, reply, errorReply(world, { ...graphError(2500), status: 400, message, details: null }))
    return reply
  })
}

function numberRoutes(app: FastifyInstance, world: World): void {
  const answer = (call: GraphCall, handle: (world: World, request: FastifyRequest<NodeQuery>) => Told) => {
    return (request: FastifyRequest<NodeQuery>, reply: FastifyReply) =>
      graphCall(world, { call, id: request.params.id, request, reply }, () => handle(world, request))
  }
  app.get(`${NODE}/phone_numbers`, answer('numbers-list', listNumbers))
  app.post(`${NODE}/register`, answer('number-register', register))
  app.get(`${NODE}/subscribed_apps`, answer('subscribed-apps', listSubscribed))
  app.post(
    `${NODE}/subscribed_apps`,
    answer('subscribed-apps', (_world, request) => subscribe(world, request, true)),
  )
  app.delete(
    `${NODE}/subscribed_apps`,
    answer('subscribed-apps', (_world, request) => subscribe(world, request, false)),
  )
}

function readNode(world: World, request: FastifyRequest<NodeQuery>, reply: FastifyReply): Promise<FastifyReply> {
  const { id } = request.params
  if (world.media.find(id) !== null) return lookUpMedia(world, request, reply)
  return graphCall(world, { call: 'number-read', id, request, reply }, () => readNumber(world, request))
}

function readNumber(world: World, request: FastifyRequest<NodeQuery>): Told {
  const number = numberFor(world.directory, askOf(request))
  return isGraphError(number) ? number : numberFields(number, request.query.fields ?? null, world.callback.url)
}

const PAGE_DEFAULT = 25
const PAGE_MAX = 100

function listNumbers(world: World, request: FastifyRequest<NodeQuery>): Told {
  const refusal = wabaRefusal(world.directory, askOf(request))
  if (refusal !== null) return refusal
  const { fields = null, after, limit = PAGE_DEFAULT } = request.query
  const from = after === undefined ? 0 : Number(Buffer.from(after, 'base64url').toString('latin1'))
  if (!Number.isInteger(from)) return graphError(131059)
  const until = from + Math.min(PAGE_MAX, Math.max(1, Number(limit) || PAGE_DEFAULT))
  const all = numbersOf(world.directory, request.params.id)
  const page = all.slice(from, until).map((number) => numberFields(number, fields, world.callback.url))
  const broken = page.find(isGraphError)
  if (broken !== undefined) return broken
  const cursors = { before: cursorOf(from), after: cursorOf(Math.min(until, all.length)) }
  const next = `http://${request.host}/${request.params.version}/${request.params.id}/phone_numbers?after=${cursors.after}`
  return { data: page, paging: { cursors, ...(until < all.length ? { next } : {}) } }
}

function cursorOf(position: number): string {
  return Buffer.from(String(position), 'latin1').toString('base64url')
}

function register(world: World, request: FastifyRequest<Params>): Told {
  const number = numberFor(world.directory, askOf(request))
  if (isGraphError(number)) return number
  const body = parseJson(textOf(request.body))
  if (!isObject(body) || body.messaging_product !== 'whatsapp') return parameterError('The parameter messaging_product is required.')
  const pin = body.pin
  if (typeof pin !== 'string' || !/^\d{6}$/.test(pin)) return parameterError('Param pin must be 6 digits long.')
  if (number.pin !== null && number.pin !== pin) return graphError(133005)
  number.pin = pin
  number.registered = true
  return { success: true }
}

function subscribe(world: World, request: FastifyRequest<Params>, subscribed: boolean): Told {
  const refusal = wabaRefusal(world.directory, askOf(request))
  if (refusal !== null) return refusal
  world.directory.wabas.set(request.params.id, { subscribed })
  return { success: true }
}

function listSubscribed(world: World, request: FastifyRequest<Params>): Told {
  const refusal = wabaRefusal(world.directory, askOf(request))
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

function askOf(request: FastifyRequest<Params>): { id: string; authorization: string | undefined; verb: string } {
  return { id: request.params.id, authorization: request.headers.authorization, verb: request.method.toLowerCase() }
}
