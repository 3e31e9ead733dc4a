import Type from 'typebox'
import { limits } from '../../limits.ts'
import { limit, startingAfter } from '../../platform/http/paging.ts'
import { query, time } from '../../platform/http/query.ts'
import { type EventKind, eventKinds } from './event.ts'
import type { DeliveryStatus } from './webhook.ts'

const nullable = (type: string, description?: string) => Type.Unsafe<unknown>({ type: [type, 'null'], ...(description && { description }) })
const statuses: readonly DeliveryStatus[] = ['pending', 'succeeded', 'failed', 'canceled']
const status = (description: string) => Type.Unsafe<DeliveryStatus>({ type: 'string', enum: statuses, description })
const eventType = (description: string) => Type.Unsafe<EventKind>({ type: 'string', enum: eventKinds, description })

const attempt = Type.Object({
  number: Type.Integer({ description: 'Counts all attempts of the delivery, from 1.' }),
  manual: Type.Boolean({ description: 'A retry that was asked for.' }),
  created_at: Type.String({ format: 'date-time', description: 'When it began.' }),
  status_code: nullable('integer', 'Null when there was no answer.'),
  duration_ms: Type.Integer({ description: 'How long it took, in milliseconds.' }),
  error: nullable('string', 'Why there was no answer.'),
  response_body: nullable('string', `The beginning of the answer, up to ${limits.webhookResponseBytesKept} bytes.`),
})

/** A delivery and its history, as the contract shows it; written as finished JSON by `deliveryRecords`. */
export const deliverySchema = Type.Object(
  {
    id: Type.String({ description: 'The id of the delivery: `dlv_` and 32 hex characters.' }),
    object: Type.Literal('webhook_delivery', { description: 'What this is.' }),
    webhook_id: Type.String({ description: 'The webhook that is told.' }),
    event_id: Type.String({ description: 'The event that it is told of, the same for every webhook.' }),
    event_type: eventType('The kind of the event.'),
    status: status('`pending` while attempts follow; `canceled`: the webhook was removed or disabled for too long.'),
    attempts: Type.Array(attempt, { description: 'Those that have ended, in their order.' }),
    next_attempt_at: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      format: 'date-time',
      description: 'When it is tried next; null: not by itself.',
    }),
    created_at: Type.String({ format: 'date-time', description: 'When the event happened.' }),
    payload: nullable('object', 'The event as it is posted. Null once it is no longer kept.'),
  },
  {
    $id: 'WebhookDelivery',
    description: 'One event on its way to one webhook.',
    examples: [
      {
        id: 'dlv_019ac8f0d5e67f7a8b9c0d1e2f3a4b5c',
        object: 'webhook_delivery',
        webhook_id: 'whk_019ac8e2c3d47e5f8a6b7c8d9e0f1a2b',
        event_id: 'evt_019ac8f0a1b27c3d8e4f5a6b7c8d9e0f',
        event_type: 'template.status_updated',
        status: 'pending',
        attempts: [
          {
            number: 1,
            manual: false,
            created_at: '2026-11-27T21:11:41.802Z',
            status_code: 503,
            duration_ms: 41,
            error: null,
            response_body: 'em manutenção',
          },
        ],
        next_attempt_at: '2026-11-27T21:12:42.310Z',
        created_at: '2026-11-27T21:11:41.747Z',
        payload: {
          id: 'evt_019ac8f0a1b27c3d8e4f5a6b7c8d9e0f',
          object: 'event',
          type: 'template.status_updated',
          api_version: 'v1',
          created_at: '2026-11-27T21:11:41.747Z',
          livemode: true,
          data: { meta: { object: 'whatsapp_business_account', entry: [] } },
        },
      },
    ],
  },
)

export const deliveriesQuery = query({
  limit,
  starting_after: startingAfter('dlv'),
  status: Type.Optional(status('Only deliveries with this status.')),
  event_type: Type.Optional(eventType('Only deliveries of this kind of event.')),
})

/** Which deliveries are retried together. */
export const retryFailedSchema = Type.Object(
  { since: time('Deliveries created at this time or later.') },
  { $id: 'RetryFailedDeliveries', description: 'Which deliveries are retried together.', additionalProperties: false },
)

export const retriedSchema = Type.Object(
  { retried: Type.Integer({ description: 'How many retries were queued.', examples: [12] }) },
  { $id: 'RetriedDeliveries', description: 'What came of it.' },
)
