import { Type } from 'typebox'
import { formatId } from '../../base/id.ts'
import type { JsonText } from '../../base/json.ts'
import type { Message } from './message.ts'

const nullable = (type: 'string' | 'number' | 'boolean', more: object = {}) =>
  Type.Unsafe<string | number | boolean | null>({ type: [type, 'null'], ...more })

/** A text that was just accepted. */
export const messageExample = {
  id: 'msg_019ac8f0a1b27c3d8e4f5a6b7c8d9e0f',
  object: 'message',
  direction: 'outbound',
  channel_id: 'ch_019ac8e1b2c37d4e8f5a6b7c8d9e0f1a',
  contact: { phone: '5511987654321', name: 'Maria Silva' },
  type: 'text',
  status: 'queued',
  text: 'Olá, Maria! O pedido 4711 saiu para entrega.',
  media: null,
  reply_to: null,
  button_reply_id: null,
  client_reference: 'pedido-4711',
  source: 'api',
  wamid: null,
  pricing: null,
  error: null,
  created_at: '2026-11-27T21:11:41.747Z',
  sent_at: null,
  delivered_at: null,
  read_at: null,
}

export const MessageSchema = Type.Object(
  {
    id: Type.String(),
    object: Type.Literal('message'),
    direction: Type.Unsafe<string>({ type: 'string', enum: ['inbound', 'outbound'] }),
    channel_id: Type.String(),
    contact: Type.Object({
      phone: Type.String({
        description: 'Digits with country code, in one spelling however it was dialled; empty for a person known by user id only.',
      }),
      name: nullable('string'),
      user_id: Type.Optional(Type.String({ description: "Upstream's user id, present only when known." })),
    }),
    type: Type.Unsafe<string>({
      type: 'string',
      enum: ['text', 'image', 'audio', 'video', 'document', 'sticker', 'location', 'contact', 'template', 'system'],
    }),
    status: Type.Unsafe<string>({ type: 'string', enum: ['queued', 'sent', 'delivered', 'read', 'failed', 'received'] }),
    text: nullable('string'),
    media: Type.Unsafe<object | null>({
      type: ['object', 'null'],
      required: ['url', 'mime_type', 'file_name', 'size_bytes'],
      properties: {
        url: { type: 'string' },
        mime_type: { type: ['string', 'null'] },
        file_name: { type: ['string', 'null'] },
        size_bytes: { type: ['number', 'null'] },
      },
    }),
    reply_to: nullable('string'),
    button_reply_id: nullable('string'),
    client_reference: nullable('string'),
    source: Type.Unsafe<string>({ type: 'string', enum: ['api', 'crm', 'ai', 'chat'] }),
    wamid: nullable('string'),
    pricing: Type.Unsafe<object | null>({
      type: ['object', 'null'],
      required: ['category', 'billable'],
      properties: { category: { type: ['string', 'null'] }, billable: { type: ['boolean', 'null'] } },
    }),
    error: Type.Unsafe<object | null>({
      type: ['object', 'null'],
      required: ['code', 'message'],
      properties: { code: { type: ['number', 'null'] }, message: { type: 'string' } },
    }),
    created_at: Type.String({ format: 'date-time' }),
    sent_at: nullable('string', { format: 'date-time' }),
    delivered_at: nullable('string', { format: 'date-time' }),
    read_at: nullable('string', { format: 'date-time' }),
    meta: Type.Optional(Type.Unknown({ description: 'For received messages, the original object of the platform.' })),
  },
  { $id: 'Message', description: 'One message in either direction, with its status.', examples: [messageExample] },
)

/** The person as a message shows them. */
export type ShownContact = { phone: string; name: string | null; userId: string | null }

/**
 * A message as callers and receivers see it, as finished JSON: `meta` goes in as the text that it came as, so that its
 * numbers keep their digits.
 */
export function messageJson(message: Message, contact: ShownContact): JsonText {
  const shown = JSON.stringify({
    id: formatId('msg', message.id),
    object: 'message',
    direction: message.direction,
    channel_id: formatId('ch', message.channelId),
    contact: contactJson(contact),
    type: message.type,
    status: message.status,
    text: message.text,
    media: message.media === null ? null : JSON.parse(message.media),
    reply_to: message.replyTo === null ? null : formatId('msg', message.replyTo),
    button_reply_id: message.buttonReplyId,
    client_reference: message.clientReference,
    source: message.source,
    // A notice may have told the wamid before the answer did; to callers a queued message has none.
    wamid: message.status === 'queued' ? null : message.wamid,
    pricing: message.pricing,
    error: message.error,
    created_at: message.createdAt,
    sent_at: message.sentAt,
    delivered_at: message.deliveredAt,
    read_at: message.readAt,
  })
  return (message.meta === null ? shown : `${shown.slice(0, -1)},"meta":${message.meta}}`) as JsonText
}

const contactJson = ({ phone, name, userId }: ShownContact) => ({ phone, name, ...(userId === null ? {} : { user_id: userId }) })

/** The same with what a person thinks of it: the `data` of `message.reaction`. */
export function reactedJson(json: JsonText, message: Message, reaction: { emoji: string; at: Date; contact: ShownContact }): JsonText {
  const shown = JSON.stringify({
    emoji: reaction.emoji,
    message_id: formatId('msg', message.id),
    contact: contactJson(reaction.contact),
    created_at: reaction.at,
  })
  return `${json.slice(0, -1)},"reaction":${shown}}` as JsonText
}
