import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type GraphError, graphError, graphErrorBody, parameterError } from './graph-error.ts'
import { isObject, parseJson } from './json-value.ts'
import { numberFields } from './number-fields.ts'
import { isGraphError, numberFor, numbersOf, wabaRefusal } from './numbers.ts'
import { type Reply, receiveSend, recordUnread } from './receive-send.ts'
import { templateFields } from './template-fields.ts'
import { findTemplate, templateRoutes } from './template-routes.ts'
import type { World } from './world.ts'

type Params = { Params: { version: string; id: string } }
type Query = Params & { Querystring: { fields?: string; limit?: string; after?: string } }

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
  app.get<Query>(NODE, (request, reply) => readNode(world, request, reply))
  templateRoutes(app, NODE, world, (reply, what) => enact(world, reply, what))
  app.get<Query>(`${NODE}/phone_numbers`, (request, reply) => listNumbers(world, request, reply))
  app.post<Params>(`${NODE}/register`, (request, reply) => register(world, request, reply))
  app.post<Params>(`${NODE}/subscribed_apps`, (request, reply) => subscribe(world, request, reply, true))
  app.delete<Params>(`${NODE}/subscribed_apps`, (request, reply) => subscribe(world, request, reply, false))
  app.get<Params>(`${NODE}/subscribed_apps`, (request, reply) => listSubscribed(world, request, reply))
  app.setNotFoundHandler((request, reply) => {
    const message = `Unknown path components: ${request.url.split('?')[0]}`
    return fail(world, reply, { ...graphError(2500), status: 400, message, details: null })
  })
}

/** Does to the connection what the reply says; a hanging one stays open until its client or the simulator ends it. */
function enact(world: World, reply: FastifyReply, what: Reply): void {
  if (what.kind === 'answer') {
    const answer = () => {
      if (what.retryAfterSeconds !== null) reply.header('retry-after', what.retryAfterSeconds)
      reply.code(what.status).header('content-type', what.type).send(what.body)
    }
    if (what.delayMs > 0) world.due.after(what.delayMs, answer)
    else answer()
    return
  }
  reply.hijack()
  const { socket } = reply.request.raw
  if (what.kind === 'reset') socket.resetAndDestroy()
  if (what.kind === 'close') socket.destroy()
}

function readNode(world: World, request: FastifyRequest<Query>, reply: FastifyReply): FastifyReply {
  const template = findTemplate(world, askOf(request))
  if (template === null) return readNumber(world, request, reply)
  const fields = templateFields(template, request.query.fields ?? null)
  return 'code' in fields ? fail(world, reply, fields as GraphError) : reply.send(fields)
}

function readNumber(world: World, request: FastifyRequest<Query>, reply: FastifyReply): FastifyReply {
  const number = numberFor(world.directory, askOf(request))
  if (isGraphError(number)) return fail(world, reply, number)
  const fields = numberFields(number, request.query.fields ?? null, world.callback.url)
  return 'code' in fields ? fail(world, reply, fields) : reply.send(fields)
}

const PAGE_DEFAULT = 25
const PAGE_MAX = 100

function listNumbers(world: World, request: FastifyRequest<Query>, reply: FastifyReply): FastifyReply {
  const refusal = wabaRefusal(world.directory, askOf(request))
  if (refusal !== null) return fail(world, reply, refusal)
  const { fields = null, after, limit = PAGE_DEFAULT } = request.query
  const from = after === undefined ? 0 : Number(Buffer.from(after, 'base64url').toString('latin1'))
  if (!Number.isInteger(from)) return fail(world, reply, graphError(131059))
  const until = from + Math.min(PAGE_MAX, Math.max(1, Number(limit) || PAGE_DEFAULT))
  const all = numbersOf(world.directory, request.params.id)
  const page = all.slice(from, until).map((number) => numberFields(number, fields, world.callback.url))
  const broken = page.find((each): each is GraphError => 'code' in each)
  if (broken !== undefined) return fail(world, reply, broken)
  const cursors = { before: cursorOf(from), after: cursorOf(Math.min(until, all.length)) }
  const next = `http://${request.host}/${request.params.version}/${request.params.id}/phone_numbers?after=${cursors.after}`
  return reply.send({ data: page, paging: { cursors, ...(until < all.length ? { next } : {}) } })
}

function cursorOf(position: number): string {
  return Buffer.from(String(position), 'latin1').toString('base64url')
}

function register(world: World, request: FastifyRequest<Params>, reply: FastifyReply): FastifyReply {
  const number = numberFor(world.directory, askOf(request))
  if (isGraphError(number)) return fail(world, reply, number)
  const body = parseJson(textOf(request.body))
  if (!isObject(body) || body.messaging_product !== 'whatsapp')
    return fail(world, reply, parameterError('The parameter messaging_product is required.'))
  const pin = body.pin
  if (typeof pin !== 'string' || !/^\d{6}$/.test(pin)) return fail(world, reply, parameterError('Param pin must be 6 digits long.'))
  if (number.pin !== null && number.pin !== pin) return fail(world, reply, graphError(133005))
  number.pin = pin
  number.registered = true
  return reply.send({ success: true })
}

function subscribe(world: World, request: FastifyRequest<Params>, reply: FastifyReply, subscribed: boolean): FastifyReply {
  const refusal = wabaRefusal(world.directory, askOf(request))
  if (refusal !== null) return fail(world, reply, refusal)
  world.directory.wabas.set(request.params.id, { subscribed })
  return reply.send({ success: true })
}

function listSubscribed(world: World, request: FastifyRequest<Params>, reply: FastifyReply): FastifyReply {
  const refusal = wabaRefusal(world.directory, askOf(request))
  if (refusal !== null) return fail(world, reply, refusal)
  const subscribed = world.directory.wabas.get(request.params.id)?.subscribed === true
  const app = {
    whatsapp_business_api_data: {
      id: '4177200000000001',
      name: 'Simulated app',
      link: 'https://www.facebook.com/games/?app_id=4177200000000001',
    },
  }
  return reply.send({ data: subscribed ? [app] : [] })
}

function askOf(request: FastifyRequest<Params>): { id: string; authorization: string | undefined; verb: string } {
  return { id: request.params.id, authorization: request.headers.authorization, verb: request.method.toLowerCase() }
}

function textOf(body: unknown): string {
  return typeof body === 'string' ? body : ''
}

function fail(world: World, reply: FastifyReply, error: GraphError): FastifyReply {
  return reply.code(error.status).header('content-type', 'application/json; charset=UTF-8').send(graphErrorBody(error, world.random))
}
