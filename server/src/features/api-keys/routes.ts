import { Type } from 'typebox'
import type { Clock } from '../../base/clock.ts'
import { parseId } from '../../base/id.ts'
import { because, invalidField, refusal } from '../../base/refusal.ts'
import { ok, refused } from '../../base/result.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Reads } from '../../platform/database/reads.ts'
import { answer } from '../../platform/http/answer.ts'
import { tellDeed } from '../../platform/http/deed.ts'
import { listOf } from '../../platform/http/paging.ts'
import { errors } from '../../platform/http/schema.ts'
import type { HttpServer } from '../../platform/http/server.ts'
import { issueKey } from './issue.ts'
import { requestLogRoutes } from './request-log-routes.ts'
import { revokeKey } from './revoke.ts'
import { listKeys } from './store.ts'
import { apiKeyJson, apiKeySchema, apiKeyWithSecretSchema, createApiKeySchema } from './wire.ts'

type Deps = { database: Database; reads: Reads; clock: Clock }

// Keys of both modes are seen and made in either.
const reading = { access: { scope: 'account:read', testKeys: true } }
const writes = { access: { scope: 'keys:write', testKeys: true } }
const tags = ['API keys']

/** What the team does with the keys of their system, and what it called; of the console alone. */
export function apiKeyRoutes(account: HttpServer, deps: Deps): void {
  account.get(
    '/api-keys',
    {
      config: reading,
      schema: {
        operationId: 'listApiKeys',
        summary: 'All keys, revoked ones too, oldest first',
        tags,
        response: { 200: listOf(apiKeySchema), ...errors() },
      },
    },
    async ({ caller }) => ({
      object: 'list' as const,
      data: (await listKeys(deps.database, caller.accountId)).map(apiKeyJson),
      has_more: false,
    }),
  )

  account.post(
    '/api-keys',
    {
      config: writes,
      schema: {
        operationId: 'createApiKey',
        summary: 'Make a key, which is shown only in this answer',
        tags,
        body: createApiKeySchema,
        response: { 201: apiKeyWithSecretSchema, ...errors(404, 'conflict') },
      },
    },
    async (request, reply) => {
      const { caller, body } = request
      const name = body.name.trim()
      if (name === '') return answer(reply, refused(invalidField('name', because('blank', 'The name is empty.'))))
      const { livemode, scopes } = body
      tellDeed(request, { name, mode: livemode ? 'live' : 'test' })
      const made = await issueKey(deps, { accountId: caller.accountId, livemode, scopes, name })
      return answer(reply, made.ok ? ok({ ...apiKeyJson(made.value.key), key: made.value.secret }) : made, 201)
    },
  )

  account.delete(
    '/api-keys/:id',
    {
      config: writes,
      schema: {
        operationId: 'revokeApiKey',
        summary: 'Revoke a key: the next call with it is refused',
        tags,
        params: Type.Object({ id: Type.String() }),
        response: { 200: apiKeySchema, ...errors(404) },
      },
    },
    async (request, reply) => {
      const { caller, params } = request
      const id = parseId('key', params.id)
      if (id === null) return answer(reply, refused(refusal('not_found', because('no_key', 'There is no key with this id.'))))
      const revoked = await revokeKey(deps, { accountId: caller.accountId, id })
      if (revoked.ok) tellDeed(request, { name: revoked.value.name, mode: revoked.value.livemode ? 'live' : 'test' })
      return answer(reply, revoked.ok ? ok(apiKeyJson(revoked.value)) : revoked)
    },
  )

  requestLogRoutes(account, deps)
}
