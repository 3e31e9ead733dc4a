import { Type } from 'typebox'
import type { Clock } from '../../base/clock.ts'
import { parseId } from '../../base/id.ts'
import type { JsonText } from '../../base/json.ts'
import { because, invalidField, refusal } from '../../base/refusal.ts'
import { ok } from '../../base/result.ts'
import { limits } from '../../limits.ts'
import type { Database } from '../../platform/database/database.ts'
import { type Reads, readingAs } from '../../platform/database/reads.ts'
import { type AnyReply, answer, refuse } from '../../platform/http/answer.ts'
import { listOf } from '../../platform/http/paging.ts'
import { parseTime, timeWords } from '../../platform/http/query.ts'
import { component, errors } from '../../platform/http/schema.ts'
import type { HttpServer } from '../../platform/http/server.ts'
import { deliveriesQuery, deliverySchema, retriedSchema, retryFailedSchema } from './delivery-wire.ts'
import { listHistory } from './history.ts'
import { type RetryRefusal, retryDelivery } from './retry.ts'
import { retryFailed } from './retry-failed.ts'
import { sendSample } from './send-sample.ts'
import type { DeliveryHint } from './webhook.ts'
import { webhookExample } from './wire.ts'

type Deps = { database: Database; reads: Reads; clock: Clock; wakeDeliveries: (hints: readonly DeliveryHint[]) => void }

const config = { access: { scope: 'webhooks:write', testKeys: false } }
const tags = ['Webhooks']
const id = Type.String({ description: 'The id of the webhook.', examples: [webhookExample.id] })
const params = Type.Object({ id })
const delivery = component(deliverySchema)
const json = 'application/json; charset=utf-8'

/** The operations on a webhook's deliveries, under /v1. */
export function deliveryRoutes(v1: HttpServer, deps: Deps): void {
  for (const schema of [deliverySchema, retryFailedSchema, retriedSchema]) v1.addSchema(schema)
  historyRoute(v1, deps)
  retryRoute(v1, deps)
  retryFailedRoute(v1, deps)
  sampleRoute(v1, deps)
}

function historyRoute(v1: HttpServer, deps: Deps): void {
  v1.get(
    '/webhooks/:id/deliveries',
    {
      config,
      schema: {
        operationId: 'listWebhookDeliveries',
        summary: 'List deliveries',
        description: 'The deliveries of a webhook with all their attempts, newest first.',
        tags,
        params,
        querystring: deliveriesQuery,
        response: { 200: listOf(delivery), ...errors(404) },
      },
    },
    async ({ caller, params, query: asked, socket }, reply) => {
      const webhookId = parseId('whk', params.id)
      if (webhookId === null) return refuse(reply, noWebhook)
      const page = await listHistory(
        readingAs(deps, caller.accountId, () => socket.destroyed),
        {
          accountId: caller.accountId,
          webhookId,
          limit: asked.limit ?? limits.listLimitDefault,
          before: asked.starting_after === undefined ? null : parseId('dlv', asked.starting_after),
          status: asked.status ?? null,
          eventType: asked.event_type ?? null,
        },
      )
      if (!page.ok) return refuse(reply, page.refusal)
      const { items, hasMore } = page.value
      return finished(reply, `{"object":"list","data":[${items.join(',')}],"has_more":${hasMore}}` as JsonText, 200)
    },
  )
}

function retryRoute(v1: HttpServer, deps: Deps): void {
  v1.post(
    '/webhooks/:id/deliveries/:delivery_id/retry',
    {
      config,
      schema: {
        operationId: 'retryWebhookDelivery',
        summary: 'Retry a delivery',
        description:
          `Posts the event again at once, whatever became of the delivery; the answer shows the record as it was before. One retry of a delivery at a time, ` +
          `${limits.webhookRetriesPerMinuteMax} a minute for a webhook. When it succeeds the delivery has succeeded, else its automatic attempts go on untouched.`,
        tags,
        params: Type.Object({
          id,
          delivery_id: Type.String({ description: 'The id of the delivery.', examples: ['dlv_019ac8f0d5e67f7a8b9c0d1e2f3a4b5c'] }),
        }),
        response: { 202: delivery, ...errors(404, 'conflict') },
      },
    },
    async ({ caller, params }, reply) => {
      const webhookId = parseId('whk', params.id)
      const deliveryId = parseId('dlv', params.delivery_id)
      if (webhookId === null) return refuse(reply, noWebhook)
      if (deliveryId === null) return refuse(reply, noDelivery)
      const queued = await retryDelivery(deps, { accountId: caller.accountId, webhookId, deliveryId })
      return queued.ok ? finished(reply, queued.value, 202) : refuseRetry(reply, queued.refusal)
    },
  )
}

function retryFailedRoute(v1: HttpServer, deps: Deps): void {
  v1.post(
    '/webhooks/:id/deliveries/retry',
    {
      config,
      schema: {
        operationId: 'retryFailedWebhookDeliveries',
        summary: 'Retry what has failed',
        description:
          'Posts the events of all deliveries again that were created since then and have failed, one after the other, beside what is posted anyway. Those of which a retry waits already are not counted again.',
        tags,
        params,
        body: component(retryFailedSchema),
        response: { 202: component(retriedSchema), ...errors(404, 'conflict') },
      },
    },
    async ({ caller, params, body }, reply) => {
      const since = parseTime(body.since)
      if (since === null) return refuse(reply, invalidField('since', because('malformed', `This must be ${timeWords}.`)))
      const webhookId = parseId('whk', params.id)
      if (webhookId === null) return refuse(reply, noWebhook)
      const retried = await retryFailed(deps, { accountId: caller.accountId, webhookId, since })
      return answer(reply, retried.ok ? ok({ retried: retried.value }) : retried, 202)
    },
  )
}

function sampleRoute(v1: HttpServer, deps: Deps): void {
  v1.post(
    '/webhooks/:id/test',
    {
      config,
      schema: {
        operationId: 'testWebhook',
        summary: 'Send a test event',
        description:
          'Posts a made-up `message.received` to this webhook alone, whatever kinds it asks for, with `livemode: false`. It is delivered like any other event; the answer is its record.',
        tags,
        params,
        response: { 202: delivery, ...errors(404, 'conflict') },
      },
    },
    async ({ caller, params }, reply) => {
      const id = parseId('whk', params.id)
      if (id === null) return refuse(reply, noWebhook)
      const sent = await sendSample(deps, { accountId: caller.accountId, id })
      return sent.ok ? finished(reply, sent.value, 202) : refuse(reply, sent.refusal)
    },
  )
}

const noWebhook = refusal('not_found', because('no_webhook', 'There is no webhook with this id.'))
const noDelivery = refusal('not_found', because('no_delivery', 'The webhook has no delivery with this id.'))

/** Finished JSON goes out byte for byte; a serialiser would parse and print its payloads. */
function finished(reply: AnyReply, text: JsonText, status: number): never {
  reply.code(status)
  reply.header('content-type', json)
  reply.send(text as never)
  return reply as never
}

function refuseRetry(reply: AnyReply, { retryAfterSeconds, ...reason }: RetryRefusal): never {
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds))
  return refuse(reply, reason)
}
