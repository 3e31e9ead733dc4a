import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { textOf } from './command-body.ts'
import { graphCall } from './graph-call.ts'
import { graphError } from './graph-error.ts'
import { deleteMedia, lookUpMedia, mediaRoutes } from './media-routes.ts'
import { type NodeQuery, numberRoutes, readNumberOrWaba } from './number-routes.ts'
import { receiveSend, recordUnread } from './receive-send.ts'
import { enact, errorReply } from './reply.ts'
import { sampleRoutes } from './sample-routes.ts'
import { templateFields } from './template-fields.ts'
import { findTemplate, templateRoutes } from './template-routes.ts'
import type { World } from './world.ts'

type Params = { Params: { version: string; id: string } }

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
  templateRoutes(app, world, NODE)
  numberRoutes(app, world, NODE)
  sampleRoutes(app, world, NODE)
  app.setNotFoundHandler((request, reply) => {
    const message = `Unknown path components: ${request.url.split('?')[0]}`
    enact(world, reply, errorReply(world, { ...graphError(2500), status: 400, message, details: null }))
    return reply
  })
}

function readNode(world: World, request: FastifyRequest<NodeQuery>, reply: FastifyReply): Promise<FastifyReply> {
  const { id } = request.params
  if (world.media.find(id) !== null) return lookUpMedia(world, request, reply)
  const template = findTemplate(world, { id, authorization: request.headers.authorization })
  if (template !== null)
    return graphCall(world, { call: 'template-read', id, request, reply }, () => templateFields(template, request.query.fields ?? null))
  return readNumberOrWaba(world, request, reply)
}
