import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { submitTemplate } from './change-template.ts'
import { checkTemplate } from './check-template.ts'
import { parseExactJson } from './exact-json.ts'
import type { Fault } from './faults.ts'
import { type GraphError, parameterError, templateError } from './graph-error.ts'
import { wabaRefusal } from './numbers.ts'
import { acceptsAnyway, errorReply, jsonReply, type Reply, spoiled } from './receive-send.ts'
import { listPage, type TemplateQuery } from './template-list.ts'
import type { Template } from './templates.ts'
import type { World } from './world.ts'

type Request = FastifyRequest<{ Params: { version: string; id: string }; Querystring: TemplateQuery }>

/** What a handler answers, or the error in its place. */
type Answer = object | GraphError

/** The templates of a WABA, under its id. `enact` does to the connection what a reply says. */
export function templateRoutes(app: FastifyInstance, node: string, world: World, enact: (reply: FastifyReply, what: Reply) => void): void {
  const path = `${node}/message_templates`
  const serve = (kind: string, work: (request: Request) => Answer) => (request: Request, reply: FastifyReply) => {
    enact(reply, answerTo(world, request, { kind, work }))
    return reply
  }
  app.get<{ Params: Request['params']; Querystring: TemplateQuery }>(
    path,
    serve('list-templates', (request) => list(world, request)),
  )
  app.post<{ Params: Request['params']; Querystring: TemplateQuery }>(
    path,
    serve('create-template', (request) => create(world, request)),
  )
  app.delete<{ Params: Request['params']; Querystring: TemplateQuery }>(
    path,
    serve('delete-template', (request) => remove(world, request)),
  )
}

/** A template by its id, or null where there is none or the token may not see it. */
export function findTemplate(world: World, request: { id: string; authorization: string | undefined }): Template | null {
  const template = world.templates.byId(request.id)
  if (template === null) return null
  return wabaRefusal(world.directory, { ...request, id: template.wabaId, verb: 'get' }) === null ? template : null
}

type Call = { kind: string; work: (request: Request) => Answer }

function answerTo(world: World, request: Request, { kind, work }: Call): Reply {
  const { id } = request.params
  const fault = world.faults.take({ phoneNumberId: id, to: null, kind })
  if (fault !== null && !acceptsAnyway(fault)) return spoiled(world, fault, '')
  const ask = { id, authorization: request.headers.authorization, verb: request.method.toLowerCase() }
  const answer = wabaRefusal(world.directory, ask) ?? work(request)
  if ('code' in answer) return { ...errorReply(world, answer as GraphError), delayMs: 0 }
  return answered(world, fault, JSON.stringify(answer))
}

function answered(world: World, fault: Fault | null, body: string): Reply {
  return fault === null ? { ...jsonReply(world, 200, body), delayMs: 0 } : spoiled(world, fault, body)
}

function list(world: World, { params, query, host }: Request): Answer {
  const url = `http://${host}/${params.version}/${params.id}/message_templates`
  return listPage(world.templates.ofWaba(params.id), query, url)
}

const TEMPLATES_MAX = 6000

function create(world: World, { params, body }: Request): Answer {
  const asked = checkTemplate(parseExactJson(typeof body === 'string' ? body : ''))
  if ('code' in asked) return asked
  const taken = nameRefusal(world, params.id, asked.name, asked.language)
  if (taken !== null) return taken
  if (world.templates.ofWaba(params.id).length >= TEMPLATES_MAX)
    return templateError(2388019, 'Limite de modelos atingido', `A conta já tem ${TEMPLATES_MAX} modelos.`)
  const { id, status, category } = submitTemplate(world, params.id, asked)
  return { id, status, category }
}

function nameRefusal(world: World, wabaId: string, name: string, language: string): GraphError | null {
  if (world.templates.nameIsBlocked(wabaId, name, world.clock.nowMs()))
    return templateError(2388023, 'O modelo está sendo excluído', 'Este nome ficará bloqueado por 30 dias; use outro.')
  if (world.templates.lookup(wabaId)(name, language) === null) return null
  return templateError(2388024, 'Já existe conteúdo neste idioma', 'Já existe um modelo com este nome neste idioma.')
}

/** The parameters stand in the query; a body is not looked at, as on the platform. */
function remove(world: World, { params, query }: Request): Answer {
  const { name, hsm_id: id } = query
  if (name === undefined || name === '') return parameterError('The parameter name is required.')
  const found = world.templates.ofWaba(params.id).filter((each) => each.name === name && (id === undefined || each.id === id))
  if (found.length === 0) return templateError(2593002, 'Modelo de mensagem não encontrado', 'O modelo não existe ou já foi excluído.')
  if (found.some((each) => each.status === 'DISABLED'))
    return templateError(2388039, 'O modelo não pode ser editado', 'Um modelo desativado não pode ser excluído.')
  for (const template of found) world.templates.remove(template, world.clock.nowMs())
  return { success: true }
}
