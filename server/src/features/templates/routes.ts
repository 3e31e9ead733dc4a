import { Type } from 'typebox'
import type { Clock } from '../../base/clock.ts'
import { ok } from '../../base/result.ts'
import type { SecretKey } from '../../base/seal.ts'
import type { Database } from '../../platform/database/database.ts'
import { answer } from '../../platform/http/answer.ts'
import { tellDeed } from '../../platform/http/deed.ts'
import { listOf } from '../../platform/http/paging.ts'
import { query } from '../../platform/http/query.ts'
import { component, errors } from '../../platform/http/schema.ts'
import type { HttpServer } from '../../platform/http/server.ts'
import { warnOfMisspelt } from '../../platform/http/warn.ts'
import type { Graph } from '../../platform/upstream/graph.ts'
import { createTemplate } from './create.ts'
import { findByName, listPage } from './list.ts'
import { removeTemplate } from './remove.ts'
import {
  createTemplateSchema,
  submissionFields,
  submittedJson,
  submittedSchema,
  templateDeletedSchema,
  templateJson,
  templateSchema,
} from './wire.ts'

/** The sample of a header; of the console alone. */
export { templateSampleRoutes } from './sample-routes.ts'

type Deps = { database: Database; clock: Clock; graph: Graph; secretKey: SecretKey }

// rule: authentication 3
const reading = { access: { scope: 'templates:read', testKeys: true } }
const writing = { access: { scope: 'templates:write', testKeys: false } }
const tags = ['Templates']
const template = component(templateSchema)
const params = Type.Object({ name: Type.String({ description: 'The exact name of the template.', examples: ['pedido_enviado'] }) })
const channelId = Type.Optional(
  Type.String({ description: 'A number of the business account that is meant; required when the account has several of those.' }),
)
const cursor = Type.String({ pattern: '^[\\x21-\\x7e]{1,2048}$', 'x-expected': 'the next_cursor of the page before' })

/** The operations on templates, under /v1. */
export function templateRoutes(v1: HttpServer, deps: Deps): void {
  for (const schema of [templateSchema, createTemplateSchema, submittedSchema, templateDeletedSchema]) v1.addSchema(schema)
  listRoute(v1, deps)
  createRoute(v1, deps)
  nameRoutes(v1, deps)
}

function listRoute(v1: HttpServer, deps: Deps): void {
  v1.get(
    '/templates',
    {
      config: reading,
      schema: {
        operationId: 'listTemplates',
        summary: 'List templates',
        description:
          'One page, read from the upstream platform at each call. Of a filtered list a page may be short, or empty, before the last.',
        tags,
        querystring: query({
          status: Type.Optional(
            Type.String({
              pattern: '^[A-Za-z_]{1,64}$',
              description: 'Only templates with this status.',
              'x-expected': 'a status, such as APPROVED',
            }),
          ),
          after: Type.Optional({ ...cursor, description: 'The `next_cursor` of the page before.' }),
          channel_id: channelId,
        }),
        response: {
          200: Type.Object({
            ...listOf(template).properties,
            next_cursor: Type.Unsafe<string | null>({
              type: ['string', 'null'],
              description: 'For `after`; null on the last page.',
              examples: ['QVFIUjRtc2FwdE9w'],
            }),
          }),
          ...errors(404, 'channel_not_connected', 'channel_ambiguous', 502),
        },
      },
    },
    async ({ caller, query: asked }, reply) => {
      const { status = null, after = null, channel_id: channel = null } = asked
      const page = await listPage(deps, { accountId: caller.accountId, channelId: channel, status, after })
      if (!page.ok) return answer(reply, page)
      const { templates, nextCursor } = page.value
      return { object: 'list' as const, data: templates.map(templateJson), has_more: nextCursor !== null, next_cursor: nextCursor }
    },
  )
}

function createRoute(v1: HttpServer, deps: Deps): void {
  v1.post(
    '/templates',
    {
      config: { ...writing, warns: true },
      schema: {
        operationId: 'createTemplate',
        summary: 'Submit a template',
        description: 'The upstream platform reviews it; the outcome is told by the event `template.status_updated`.',
        tags,
        body: component(createTemplateSchema),
        response: { 201: component(submittedSchema), ...errors(404, 'channel_not_connected', 'channel_ambiguous', 502) },
      },
    },
    async (request, reply) => {
      const { caller, body } = request
      tellDeed(request, { template: body.name, language: body.language })
      const made = await createTemplate(deps, { accountId: caller.accountId, body })
      if (made.ok) warnOfMisspelt(reply, body, submissionFields)
      return answer(reply, made.ok ? ok(submittedJson(made.value)) : made, 201)
    },
  )
}

function nameRoutes(v1: HttpServer, deps: Deps): void {
  v1.get(
    '/templates/:name',
    {
      config: reading,
      schema: {
        operationId: 'getTemplate',
        summary: 'Get a template in all its languages',
        description: 'Read from the upstream platform at each call.',
        tags,
        params,
        querystring: query({ channel_id: channelId }),
        response: { 200: listOf(template), ...errors(404, 'channel_not_connected', 'channel_ambiguous', 502) },
      },
    },
    async ({ caller, params: { name }, query: asked }, reply) => {
      const found = await findByName(deps, { accountId: caller.accountId, channelId: asked.channel_id ?? null, name })
      if (!found.ok) return answer(reply, found)
      return { object: 'list' as const, data: found.value.map(templateJson), has_more: false }
    },
  )

  v1.delete(
    '/templates/:name',
    {
      config: writing,
      schema: {
        operationId: 'deleteTemplate',
        summary: 'Delete a template',
        description: 'In all its languages, or only in the one whose id is given as `hsm_id`.',
        tags,
        params,
        querystring: query({
          hsm_id: Type.Optional(Type.String({ maxLength: 128, description: 'The id of the template in one language.' })),
          channel_id: channelId,
        }),
        response: { 200: component(templateDeletedSchema), ...errors(404, 'channel_not_connected', 'channel_ambiguous', 502) },
      },
    },
    async ({ caller, params: { name }, query: asked }, reply) => {
      const { hsm_id: id = null, channel_id: channel = null } = asked
      const removed = await removeTemplate(deps, { accountId: caller.accountId, channelId: channel, name, id })
      return answer(reply, removed.ok ? ok({ deleted: true, name }) : removed)
    },
  )
}
