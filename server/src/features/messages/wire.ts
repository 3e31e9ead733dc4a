import { Type } from 'typebox'
import { formatId } from '../../base/id.ts'
import type { JsonText } from '../../base/json.ts'
import type { Message } from './message.ts'

const textOrNull = (description: string) => Type.Unsafe<string | null>({ type: ['string', 'null'], description })
const timeOrNull = (description: string) => Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time', description })
const oneOf = (values: readonly string[], description: string) => Type.Unsafe<string>({ type: 'string', enum: values, description })

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
    id: Type.String({ description: 'The id of the message: `msg_` and 32 hex characters.' }),
    object: Type.Literal('message', { description: 'What this is.' }),
    direction: oneOf(['inbound', 'outbound'], '`inbound`: a person wrote it; `outbound`: the business did.'),
    channel_id: Type.String({ description: 'The number that it was sent from, or came to.' }),
    contact: Type.Object(
      {
        phone: Type.String({
          description: 'Digits with country code, in one spelling however it was dialled; empty for a person known by user id only.',
        }),
        name: textOrNull('The name that the person goes by; null: not known.'),
        user_id: Type.Optional(Type.String({ description: "Upstream's user id, present only when known." })),
      },
      { description: 'The person who gets it, or who wrote it.' },
    ),
    type: oneOf(
      ['text', 'image', 'audio', 'video', 'document', 'sticker', 'location', 'contact', 'template', 'system'],
      'What it carries. Contact cards are `contact`; interactive messages and what people choose in them are `text`; `system` is what fits no other.',
    ),
    status: oneOf(
      ['queued', 'sent', 'delivered', 'read', 'failed', 'received'],
      'How far it has come: `queued`, `sent`, `delivered`, `read`, or `failed`; `received` for what people write.',
    ),
    text: textOrNull('The words: the text, the caption, or a summary that can be read. Null: it has none, or was deleted for everyone.'),
    media: Type.Unsafe<object | null>({
      type: ['object', 'null'],
      description: 'The file that it carries; null: none, or it was deleted for everyone.',
      required: ['url', 'mime_type', 'file_name', 'size_bytes'],
      properties: {
        url: { type: 'string', description: 'Where the file can be read: permanent, if it is kept here, else the link of the send.' },
        mime_type: { type: ['string', 'null'], description: 'What kind of file it is; null: not known.' },
        file_name: { type: ['string', 'null'], description: 'What the file is called; null: it has no name.' },
        size_bytes: { type: ['number', 'null'], description: 'How many bytes it has; null: not known.' },
      },
    }),
    reply_to: textOrNull('The id of the message that it quotes; null: none, or none that is known.'),
    button_reply_id: textOrNull('The id of the button or row that the person chose; null: none.'),
    client_reference: textOrNull('Your own identifier, as the send gave it; null: it gave none.'),
    source: oneOf(
      ['api', 'crm', 'ai', 'chat'],
      'Where it was written: `api`, your integration; `chat`, by a person, in the console or on a phone; `crm` and `ai`, by other programs.',
    ),
    wamid: textOrNull("The upstream platform's id of the message; null until it is sent."),
    pricing: Type.Unsafe<object | null>({
      type: ['object', 'null'],
      description: 'How the upstream platform bills it; null until it says so.',
      required: ['category', 'billable'],
      properties: {
        category: {
          type: ['string', 'null'],
          description: 'Marketing, utility, authentication, service …, in lower case; null: not told.',
        },
        billable: { type: ['boolean', 'null'], description: 'Whether it is billed; null: not told.' },
      },
    }),
    error: Type.Unsafe<object | null>({
      type: ['object', 'null'],
      description: 'Why it failed; null: it did not.',
      required: ['code', 'message'],
      properties: {
        code: { type: ['number', 'null'], description: "The upstream platform's code; null: there is none." },
        message: { type: 'string', description: 'For people; its words may change.' },
      },
    }),
    created_at: Type.String({ format: 'date-time', description: 'When it was accepted, or taken in.' }),
    sent_at: timeOrNull('When the upstream platform accepted it; null: not yet, or a person wrote it.'),
    delivered_at: timeOrNull('When it reached the phone; null: not yet.'),
    read_at: timeOrNull('When the person read it; null: not yet, or they do not tell.'),
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
