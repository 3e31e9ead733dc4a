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
export const createWebhookSchema = Type.Object({ url, events, description }, { $id: 'CreateWebhook', additionalProperties: false })

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
  { additionalProperties: false },
)

/** A Webhook as the contract shows it. */
export const webhookSchema = Type.Object(
  {
    id: Type.String(),
    object: Type.Literal('webhook'),
    url: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
    events: Type.Array(Type.String()),
    enabled: Type.Boolean({ description: 'While false, events are not recorded for it.' }),
    description: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
    created_at: Type.String({ format: 'date-time' }),
    secret: Type.Optional(
      Type.String({ description: 'What its deliveries are signed with. Shown once: when it is made, and when it is replaced.' }),
    ),
  },
  { $id: 'Webhook', description: 'An address that is told of events.' },
)

/** What is left of a webhook that was deleted. */
export const webhookDeletedSchema = Type.Object({ deleted: Type.Literal(true), id: Type.String() }, { $id: 'WebhookDeleted' })

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
