import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { GraphCall } from './calls.ts'
import { submitTemplate } from './change-template.ts'
import { checkTemplate } from './check-template.ts'
import { parseExactJson } from './exact-json.ts'
import { graphCall, type Told } from './graph-call.ts'
import { type GraphError, parameterError, templateError } from './graph-error.ts'
import { wabaRefusal } from './numbers.ts'
import { listPage, type TemplateQuery } from './template-list.ts'
import type { Template } from './templates.ts'
import type { World } from './world.ts'

type Request = FastifyRequest<{ Params: { version: string; id: string }; Querystring: TemplateQuery }>

/** The templates of a WABA, under its id. */
export function templateRoutes(app: FastifyInstance, world: World, node: string): void {
  const path = `${node}/message_templates`
  const serve = (call: GraphCall, work: (request: Request) => Told) => (request: Request, reply: FastifyReply) => {
    const { id } = request.params
    const ask = { id, authorization: request.headers.authorization, verb: request.method.toLowerCase() }
    return graphCall(world, { call, id, request, reply }, () => wabaRefusal(world.directory, ask) ?? work(request))
  }
  app.get<{ Params: Request['params']; Querystring: TemplateQuery }>(
    path,
    serve('templates-list', (request) => list(world, request)),
  )
  app.post<{ Params: Request['params']; Querystring: TemplateQuery }>(
    path,
    serve('template-create', (request) => create(world, request)),
  )
  app.delete<{ Params: Request['params']; Querystring: TemplateQuery }>(
    path,
    serve('template-delete', (request) => remove(world, request)),
  )
}

/** A template by its id, or null where there is none or the token may not see it. */
export function findTemplate(world: World, request: { id: string; authorization: string | undefined }): Template | null {
  const template = world.templates.byId(request.id)
  if (template === null) return null
  return wabaRefusal(world.directory, { ...request, id: template.wabaId, verb: 'get' }) === null ? template : null
}

function list(world: World, { params, query, host }: Request): Told {
  const url = `http://${host}/${params.version}/${params.id}/message_templates`
  return listPage(world.templates.ofWaba(params.id), query, url)
}

const TEMPLATES_MAX = 6000

function create(world: World, { params, body }: Request): Told {
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
function remove(world: World, { params, query }: Request): Told {
  const { name, hsm_id: id } = query
  if (name === undefined || name === '') return parameterError('The parameter name is required.')
  const found = world.templates.ofWaba(params.id).filter((each) => each.name === name && (id === undefined || each.id === id))
  if (found.length === 0) return templateError(2593002, 'Modelo de mensagem não encontrado', 'O modelo não existe ou já foi excluído.')
  if (found.some((each) => each.status === 'DISABLED'))
    return templateError(2388039, 'O modelo não pode ser editado', 'Um modelo desativado não pode ser excluído.')
  for (const template of found) world.templates.remove(template, world.clock.nowMs())
  return { success: true }
}
