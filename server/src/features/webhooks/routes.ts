import { Type } from 'typebox'
import type { Clock } from '../../base/clock.ts'
import { formatId, parseId, type Uuid } from '../../base/id.ts'
import { because, type Refusal, refusal } from '../../base/refusal.ts'
import { ok, type Result, refused } from '../../base/result.ts'
import type { SecretKey } from '../../base/seal.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Reads } from '../../platform/database/reads.ts'
import type { StrangerPolicy } from '../../platform/fetch/stranger-policy.ts'
import { answer } from '../../platform/http/answer.ts'
import { tellDeed } from '../../platform/http/deed.ts'
import { listOf } from '../../platform/http/paging.ts'
import { component, errors, optionalBody } from '../../platform/http/schema.ts'
import type { HttpServer } from '../../platform/http/server.ts'
import { changeWebhook } from './change.ts'
import { deliveryRoutes } from './delivery-routes.ts'
import { registerWebhook } from './register.ts'
import { removeWebhook } from './remove.ts'
import { rotateSecret } from './rotate-secret.ts'
import { findWebhook, listWebhooks } from './store.ts'
import type { DeliveryHint } from './webhook.ts'
import {
  createWebhookSchema,
  rotateSecretSchema,
  updateWebhookSchema,
  webhookDeletedSchema,
  webhookExample,
  webhookJson,
  webhookSchema,
  webhookWithSecretSchema,
} from './wire.ts'

export { webhookHealthRoutes } from './health-routes.ts'

type Deps = {
  database: Database
  reads: Reads
  clock: Clock
  policy: StrangerPolicy
  secretKey: SecretKey
  wakeDeliveries: (hints: readonly DeliveryHint[]) => void
}

const config = { access: { scope: 'webhooks:write', testKeys: false } }
const tags = ['Webhooks']
const params = Type.Object({ id: Type.String({ description: 'The id of the webhook.', examples: [webhookExample.id] }) })
const webhook = component(webhookSchema)

/** The operations on webhooks, under /v1. */
export function webhookRoutes(v1: HttpServer, deps: Deps): void {
  for (const schema of [createWebhookSchema, webhookSchema, webhookWithSecretSchema, webhookDeletedSchema]) v1.addSchema(schema)
  registerRoutes(v1, deps)
  readRoutes(v1, deps)
  changeRoute(v1, deps)
  rotateRoute(v1, deps)
  deliveryRoutes(v1, deps)
}

function registerRoutes(v1: HttpServer, deps: Deps): void {
  v1.post(
    '/webhooks',
    {
      config,
      schema: {
        operationId: 'createWebhook',
        summary: 'Register a webhook',
        description: 'The answer holds the secret that its deliveries are signed with. It is shown only here: store it.',
        tags,
        body: component(createWebhookSchema),
        response: { 201: component(webhookWithSecretSchema), ...errors('conflict') },
      },
    },
    async (request, reply) => {
      const { caller, body } = request
      const { url, events, description = null } = body
      tellDeed(request, { url })
      const made = await registerWebhook(deps, { accountId: caller.accountId, url, events, description })
      return answer(reply, made.ok ? ok({ ...webhookJson(made.value.webhook), secret: made.value.secret }) : made, 201)
    },
  )

  v1.delete(
    '/webhooks/:id',
    {
      config,
      schema: {
        operationId: 'deleteWebhook',
        summary: 'Delete a webhook',
        description: 'Nothing is posted to it any more; its pending deliveries become canceled.',
        tags,
        params,
        response: { 200: component(webhookDeletedSchema), ...errors(404) },
      },
    },
    async (request, reply) => {
      const { caller, params } = request
      const id = parseId('whk', params.id)
      if (id === null) return answer(reply, notFound)
      const known = await findWebhook(deps.database, caller.accountId, id)
      tellDeed(request, { url: known?.url })
      const removed = await removeWebhook(deps, { accountId: caller.accountId, id })
      return answer(reply, removed.ok ? ok({ deleted: true as const, id: formatId('whk', id) }) : removed)
    },
  )
}

function readRoutes(v1: HttpServer, { database }: Deps): void {
  v1.get(
    '/webhooks',
    {
      config,
      schema: {
        operationId: 'listWebhooks',
        summary: 'List webhooks',
        description: 'All of the account, newest first.',
        tags,
        response: { 200: listOf(webhook), ...errors() },
      },
    },
    async ({ caller }) => ({
      object: 'list' as const,
      data: (await listWebhooks(database, caller.accountId)).map(webhookJson),
      has_more: false,
    }),
  )

  v1.get(
    '/webhooks/:id',
    {
      config,
      schema: {
        operationId: 'getWebhook',
        summary: 'Get a webhook',
        tags,
        params,
        response: { 200: webhook, ...errors(404) },
      },
    },
    async ({ caller, params }, reply) => answer(reply, await lookUp(database, caller.accountId, params.id)),
  )
}

function changeRoute(v1: HttpServer, deps: Deps): void {
  v1.patch(
    '/webhooks/:id',
    {
      config,
      schema: {
        operationId: 'updateWebhook',
        summary: 'Change a webhook',
        description:
          'What is left out stays as it is. While a webhook is disabled events are not recorded for it; what was pending waits, goes on when it is enabled again, and is canceled once older than 72 hours.',
        tags,
        params,
        body: optionalBody(updateWebhookSchema),
        response: { 200: webhook, ...errors(404) },
      },
    },
    async (request, reply) => {
      const { caller, params, body } = request
      const id = parseId('whk', params.id)
      if (id === null) return answer(reply, notFound)
      const changed = await changeWebhook(deps, { accountId: caller.accountId, id, change: body ?? {} })
      if (changed.ok) tellDeed(request, { url: changed.value.url, enabled: body?.enabled === undefined ? null : String(body.enabled) })
      return answer(reply, changed.ok ? ok(webhookJson(changed.value)) : changed)
    },
  )
}

function rotateRoute(v1: HttpServer, deps: Deps): void {
  v1.post(
    '/webhooks/:id/rotate-secret',
    {
      config,
      schema: {
        operationId: 'rotateWebhookSecret',
        summary: 'Replace the secret',
        description:
          'The answer holds the new secret, which is shown only here. Every attempt that starts after it is signed with the new one, and while the previous one counts with both, the new one first.',
        tags,
        params,
        body: optionalBody(rotateSecretSchema),
        response: { 200: component(webhookWithSecretSchema), ...errors(404) },
      },
    },
    async (request, reply) => {
      const { caller, params, body } = request
      const id = parseId('whk', params.id)
      if (id === null) return answer(reply, notFound)
      const rotated = await rotateSecret(deps, { accountId: caller.accountId, id, previousSeconds: body?.expire_previous_in ?? 0 })
      if (rotated.ok) tellDeed(request, { url: rotated.value.webhook.url })
      return answer(reply, rotated.ok ? ok({ ...webhookJson(rotated.value.webhook), secret: rotated.value.secret }) : rotated)
    },
  )
}

const notFound = refused(refusal('not_found', because('no_webhook', 'There is no webhook with this id.')))

async function lookUp(database: Database, accountId: Uuid, text: string): Promise<Result<ReturnType<typeof webhookJson>, Refusal>> {
  const id = parseId('whk', text)
  const found = id === null ? null : await findWebhook(database, accountId, id)
  return found === null ? notFound : ok(webhookJson(found))
}
