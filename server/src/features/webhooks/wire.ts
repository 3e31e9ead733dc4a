import Type from 'typebox'
import { formatId } from '../../base/id.ts'
import { limits } from '../../limits.ts'
import { eventKinds } from './event.ts'
import type { WantedEvent, Webhook } from './webhook.ts'

const wantedEvent = Type.Unsafe<WantedEvent>({ type: 'string', enum: [...eventKinds, '*'] })

const url = Type.String({
  minLength: 1,
  maxLength: limits.webhookUrlCharsMax,
  description: 'Where events are posted: an https URL on the public internet.',
})
// rule: delivery 7
const events = Type.Array(wantedEvent, {
  minItems: 1,
  maxItems: limits.webhookEventsMax,
  description: 'The kinds to be told of; `*`: all.',
})
const description = Type.Optional(Type.String({ maxLength: limits.webhookDescriptionCharsMax, description: 'For your own use.' }))

/** What registers a webhook. Whether the address may be called is decided by the operation. */
export const createWebhookSchema = Type.Object(
  { url, events, description },
  {
    $id: 'CreateWebhook',
    description: 'A webhook that is to be made.',
    additionalProperties: false,
    examples: [{ url: 'https://erp.padariaestrela.com.br/eventos', events: ['message.received', 'message.failed'], description: 'ERP' }],
  },
)

/** What changes a webhook: what is left out stays as it is. */
export const updateWebhookSchema = Type.Object(
  {
    url: Type.Optional(url),
    events: Type.Optional(events),
    enabled: Type.Optional(Type.Boolean({ description: 'False: nothing is posted, and events of that time are not recorded for it.' })),
    description,
  },
  { additionalProperties: false },
)

/** How a secret is replaced. */
export const rotateSecretSchema = Type.Object(
  {
    expire_previous_in: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: limits.previousSecretSecondsMax,
        description: 'For how many seconds events carry a signature by the previous secret too. Left out: 0.',
      }),
    ),
  },
  { additionalProperties: false, examples: [{ expire_previous_in: 3600 }] },
)

export const webhookExample = {
  id: 'whk_019ac8e2c3d47e5f8a6b7c8d9e0f1a2b',
  object: 'webhook',
  url: 'https://erp.padariaestrela.com.br/eventos',
  events: ['message.received', 'message.failed'],
  enabled: true,
  description: 'ERP',
  created_at: '2026-11-27T20:58:03.112Z',
}

/** A Webhook as the contract shows it. */
export const webhookSchema = Type.Object(
  {
    id: Type.String({ description: 'The id of the webhook: `whk_` and 32 hex characters.' }),
    object: Type.Literal('webhook', { description: 'What this is.' }),
    url: Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'Where events are posted; null: nowhere.' }),
    events: Type.Array(Type.String(), { description: 'The kinds that it is told of; `*`: all.' }),
    enabled: Type.Boolean({ description: 'While false, events are not recorded for it.' }),
    description: Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'Your own words for it; null: none.' }),
    created_at: Type.String({ format: 'date-time', description: 'When it was made.' }),
    secret: Type.Optional(
      Type.String({ description: 'What its deliveries are signed with. Shown once: when it is made, and when it is replaced.' }),
    ),
  },
  { $id: 'Webhook', description: 'An address that is told of events.', examples: [webhookExample] },
)

/** The only two times that the secret is shown: when the webhook is made, and when the secret is replaced. */
export const webhookWithSecretSchema = Type.Object(
  { ...webhookSchema.properties, secret: Type.String({ description: 'What its deliveries are signed with. Store it.' }) },
  {
    $id: 'WebhookWithSecret',
    description: 'A webhook with the secret that its deliveries are signed with.',
    examples: [{ ...webhookExample, secret: 'whsec_C2FVsBQIhrscChlQIMV-b5sSYspob7oD5fFdPm2ZCcQ' }],
  },
)

/** What is left of a webhook that was deleted. */
export const webhookDeletedSchema = Type.Object(
  {
    deleted: Type.Literal(true, { description: 'It is gone.' }),
    id: Type.String({ description: 'The id that it had.', examples: [webhookExample.id] }),
  },
  { $id: 'WebhookDeleted', description: 'That a webhook is gone.' },
)

export type WebhookJson = Type.Static<typeof webhookSchema>

export function webhookJson(webhook: Webhook): WebhookJson {
  return {
    id: formatId('whk', webhook.id),
    object: 'webhook',
    url: webhook.url,
    events: [...webhook.events],
    enabled: webhook.enabled,
    description: webhook.description,
    created_at: webhook.createdAt.toISOString(),
  }
}
