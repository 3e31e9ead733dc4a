import { Type } from 'typebox'
import { parseId } from '../../base/id.ts'
import { because, invalidField } from '../../base/refusal.ts'
import { limits } from '../../limits.ts'
import type { Database } from '../../platform/database/database.ts'
import { type Reads, readingAs } from '../../platform/database/reads.ts'
import { answer, consoleApi, refuse } from '../../platform/http/answer.ts'
import { limit, listOf, startingAfter } from '../../platform/http/paging.ts'
import { parseTime, query, time, timeWords } from '../../platform/http/query.ts'
import { component, errors } from '../../platform/http/schema.ts'
import type { HttpServer } from '../../platform/http/server.ts'
import { listPage, readMessage } from './list.ts'
import { type MessageSource, type MessageStatus, messageSources } from './message.ts'
import { type SendRouteDeps, sendRoutes } from './send-routes.ts'
import { MessageSchema, messageExample } from './wire.ts'

type Deps = { database: Database; reads: Reads } & SendRouteDeps

const message = component(MessageSchema)
const oneOf = (values: readonly string[], description: string) => Type.Unsafe<string>({ type: 'string', enum: values, description })

const listFields = {
  limit,
  starting_after: startingAfter('msg'),
  direction: Type.Optional(oneOf(['inbound', 'outbound'], 'Only what people wrote, or only what the business did.')),
  status: Type.Optional(oneOf(['queued', 'sent', 'delivered', 'read', 'failed', 'received'], 'Only messages with this status now.')),
  phone: Type.Optional(Type.String({ description: 'Only messages from and to this person.' })),
  client_reference: Type.Optional(
    Type.String({ maxLength: limits.clientReferenceCharsMax, description: 'Only messages with this identifier of yours.' }),
  ),
  since: Type.Optional(time('Created at this time or later.')),
  until: Type.Optional(time('Created before this time.')),
}
const ofIntegration = Type.Optional(
  Type.Unsafe<MessageSource>({ type: 'string', enum: ['api'], description: 'Only messages sent by your integration.' }),
)
const ofAnySource = Type.Optional(
  Type.Unsafe<MessageSource>({ type: 'string', enum: [...messageSources], description: 'Only messages of this origin.' }),
)
const listQuery = query({ ...listFields, source: ofIntegration })
/** The team may ask for messages of any origin. */
const consoleListQuery = query({ ...listFields, source: ofAnySource })

/** What the console shows of one message beside these. */
export { timelineRoutes } from './timeline-routes.ts'

/** The operations on messages, under /v1. */
export function messageRoutes(v1: HttpServer, deps: Deps): void {
  v1.addSchema(MessageSchema)
  sendRoutes(v1, deps)
  readRoutes(v1, deps)
}

const json = 'application/json; charset=utf-8'

function readRoutes(v1: HttpServer, deps: Deps): void {
  const config = { access: { scope: 'messages:read', testKeys: true } }
  v1.get(
    '/messages',
    {
      config,
      schema: {
        operationId: 'listMessages',
        summary: 'List messages',
        description: 'Sent and received messages, newest first.',
        tags: ['Messages'],
        querystring: v1.prefix.startsWith(consoleApi) ? (consoleListQuery as typeof listQuery) : listQuery,
        response: { 200: listOf(message), ...errors() },
      },
    },
    async ({ caller, query: asked, socket }, reply) => {
      const since = asked.since === undefined ? null : parseTime(asked.since)
      const until = asked.until === undefined ? null : parseTime(asked.until)
      if (asked.since !== undefined && since === null)
        return refuse(reply, invalidField('since', because('malformed', `This must be ${timeWords}.`)))
      if (asked.until !== undefined && until === null)
        return refuse(reply, invalidField('until', because('malformed', `This must be ${timeWords}.`)))
      const page = await listPage(
        readingAs(deps, caller.accountId, () => socket.destroyed),
        {
          accountId: caller.accountId,
          livemode: caller.livemode,
          limit: asked.limit ?? limits.listLimitDefault,
          startingAfter: asked.starting_after === undefined ? null : parseId('msg', asked.starting_after),
          direction: (asked.direction as 'inbound' | 'outbound' | undefined) ?? null,
          status: (asked.status as MessageStatus | undefined) ?? null,
          phone: asked.phone ?? null,
          isTeam: caller.keyId === null,
          clientReference: asked.client_reference ?? null,
          source: asked.source ?? null,
          since,
          until,
        },
      )
      if (!page.ok) return refuse(reply, page.refusal)
      const { items, hasMore } = page.value
      return reply.header('content-type', json).send(`{"object":"list","data":[${items.join(',')}],"has_more":${hasMore}}` as never)
    },
  )

  v1.get(
    '/messages/:id',
    {
      config,
      schema: {
        operationId: 'getMessage',
        summary: 'Fetch one message',
        tags: ['Messages'],
        params: Type.Object({ id: Type.String({ description: 'The id of the message.', examples: [messageExample.id] }) }),
        response: { 200: message, ...errors(404) },
      },
    },
    async ({ caller, params }, reply) => {
      const found = await readMessage(readingAs(deps, caller.accountId), caller.accountId, caller.livemode, parseId('msg', params.id))
      reply.header('content-type', json)
      return answer(reply, found) as never
    },
  )
}
