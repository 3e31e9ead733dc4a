import { Type } from 'typebox'
import type { EventData, MessageEventKind } from '../webhooks/public.ts'
import { MessageSchema, messageExample } from './wire.ts'

/** The `data` of `message.reaction`: the message reacted to, and who reacted with what. */
const messageReactionSchema = Type.Object(
  {
    ...MessageSchema.properties,
    reaction: Type.Object(
      {
        emoji: Type.String({ description: 'Empty when the reaction was taken back.' }),
        message_id: Type.String({ description: 'The message reacted to, as in `id`.' }),
        contact: { ...MessageSchema.properties.contact, description: 'The person who reacted.' },
        created_at: Type.String({ format: 'date-time', description: 'When they did.' }),
      },
      { description: 'What the person thinks of it.' },
    ),
  },
  { description: 'The message that a person reacted to, with the reaction.' },
)

/** What the document says about the `data` of message events: a Message, all of it or with a reaction. */
export function messageEventData(kind: MessageEventKind): EventData {
  return { component: kind === 'message.reaction' ? 'MessageReaction' : 'Message', example: examples[kind] }
}

/** Components that only events refer to. */
export const messageEventSchemas = { MessageReaction: messageReactionSchema }

const wamid = 'wamid.HBgNNTUxMTk4NzY1NDMyMRUCABEYEjNBMUNCMjUxRUMwRDU2OERFNgA='
const sent = { ...messageExample, status: 'sent', wamid, sent_at: '2026-11-27T21:11:42.105Z' }
const delivered = {
  ...sent,
  status: 'delivered',
  pricing: { category: 'service', billable: false },
  delivered_at: '2026-11-27T21:11:43.000Z',
}
const received = {
  ...messageExample,
  id: 'msg_019ac8f0c4d57e6f9a0b1c2d3e4f5a6b',
  direction: 'inbound',
  status: 'received',
  text: 'Oi! Vocês entregam hoje?',
  client_reference: null,
  source: 'chat',
  wamid: 'wamid.HBgNNTUxMTk4NzY1NDMyMRUCABIYFDNBMUNCMjUxRUMwRDU2OERFNkE5AA==',
  meta: {
    from: '5511987654321',
    id: 'wamid.HBgNNTUxMTk4NzY1NDMyMRUCABIYFDNBMUNCMjUxRUMwRDU2OERFNkE5AA==',
    timestamp: '1795813901',
    type: 'text',
    text: { body: 'Oi! Vocês entregam hoje?' },
    contact: { profile: { name: 'Maria Silva' }, wa_id: '5511987654321' },
  },
}
const editedText = 'Oi! Vocês entregam hoje à tarde?'
const { text: _text, ...wordlessMeta } = received.meta

const examples: Readonly<Record<MessageEventKind, object>> = {
  'message.received': received,
  'message.reaction': {
    ...delivered,
    reaction: { emoji: '👍', message_id: delivered.id, contact: delivered.contact, created_at: '2026-11-27T21:12:30.000Z' },
  },
  'message.edited': { ...received, text: editedText, meta: { ...received.meta, text: { body: editedText } } },
  'message.deleted': { ...received, text: null, meta: wordlessMeta },
  'message.sent': sent,
  'message.delivered': delivered,
  'message.read': { ...delivered, status: 'read', read_at: '2026-11-27T21:14:10.000Z' },
  'message.failed': {
    ...messageExample,
    status: 'failed',
    error: { code: 131026, message: 'Message undeliverable.' },
  },
}
