import { Type } from 'typebox'
import { formatId, momentOf, parseId, type Uuid } from '../../base/id.ts'
import { limits } from '../../limits.ts'
import type { Reads } from '../../platform/database/reads.ts'
import { limit, startingAfter } from '../../platform/http/paging.ts'
import { query } from '../../platform/http/query.ts'
import { type LoggedCall, listRequestLog, type StatusClass } from '../../platform/http/request-log-store.ts'
import { errors } from '../../platform/http/schema.ts'
import type { HttpServer } from '../../platform/http/server.ts'

const logQuery = query({
  limit,
  starting_after: startingAfter('req'),
  status: Type.Optional(Type.Unsafe<StatusClass>({ type: 'string', enum: ['2xx', '4xx', '5xx'] })),
  key_id: Type.Optional(Type.String({ pattern: '^key_[0-9a-f]{32}$', 'x-expected': 'an id that begins with key_' })),
  route: Type.Optional(Type.String({ maxLength: 200, description: 'As the log shows it: /v1/messages/:id.' })),
})

const call = Type.Object({
  id: Type.String({ description: 'The Request-Id of the call.' }),
  object: Type.Literal('logged_call'),
  created_at: Type.String({ format: 'date-time' }),
  key_id: Type.String(),
  livemode: Type.Boolean(),
  method: Type.String(),
  route: Type.String({ description: 'The pattern of its path.' }),
  status_code: Type.Integer(),
  error_code: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'The code of the error that it was answered with; null: none, or the call is older than this field.',
  }),
  message_id: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'The message that it sent, or that its path names; null: none.',
  }),
  ms: Type.Integer(),
})

const page = Type.Object({
  object: Type.Literal('list'),
  data: Type.Array(call),
  has_more: Type.Boolean(),
  next: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description:
      'The `starting_after` of the next page; null: there is none. A page looks through so many calls at most, and may be short, even empty, where a filter fits few of them.',
  }),
})

/** What the account's system called, newest first. */
export function requestLogRoutes(account: HttpServer, { reads }: { reads: Reads }): void {
  account.get(
    '/request-log',
    {
      config: { access: { scope: 'account:read', testKeys: true } },
      schema: {
        operationId: 'listRequestLog',
        summary: 'Calls of the account’s system in the last 30 days, newest first',
        tags: ['API keys'],
        querystring: logQuery,
        response: { 200: page, ...errors() },
      },
    },
    async ({ caller, query: asked }) => {
      const { calls, next } = await listRequestLog(reads.of(caller.accountId), {
        accountId: caller.accountId,
        before: asked.starting_after === undefined ? null : parseId('req', asked.starting_after),
        limit: asked.limit ?? limits.listLimitDefault,
        status: asked.status ?? null,
        keyId: asked.key_id === undefined ? null : parseId('key', asked.key_id),
        route: asked.route ?? null,
      })
      return { object: 'list' as const, data: calls.map(callJson), has_more: next !== null, next: next === null ? null : requestId(next) }
    },
  )
}

const requestId = (id: Uuid) => formatId('req', id)

function callJson(call: LoggedCall) {
  return {
    id: requestId(call.id),
    object: 'logged_call' as const,
    created_at: momentOf(call.id).toISOString(),
    key_id: formatId('key', call.keyId),
    livemode: call.livemode,
    method: call.method,
    route: call.route,
    status_code: call.statusCode,
    error_code: call.errorCode,
    message_id: call.messageId === null ? null : formatId('msg', call.messageId),
    ms: call.ms,
  }
}
