import { Type } from 'typebox'
import { formatId, parseId } from '../../base/id.ts'
import type { ListPlace } from './conversation.ts'

const nullable = (type: 'string' | 'object', more: object = {}) => Type.Unsafe<unknown>({ type: [type, 'null'], ...more })
const oneOf = (values: readonly string[]) => Type.Unsafe<string>({ type: 'string', enum: values })
const moment = Type.Unsafe<Date>({ type: 'string', format: 'date-time' })

const memberShape = { properties: { id: { type: 'string' }, name: { type: ['string', 'null'] } }, required: ['id', 'name'] }

export const ConversationSchema = Type.Object(
  {
    id: Type.String(),
    object: Type.Literal('conversation'),
    channel_id: Type.String(),
    contact: Type.Object({ id: Type.String(), name: nullable('string'), phone: Type.String(), user_id: Type.Optional(Type.String()) }),
    last_message: nullable('object', {
      description: 'The newest message; null: nothing was said yet.',
      properties: {
        id: { type: 'string' },
        direction: { type: 'string', enum: ['inbound', 'outbound'] },
        type: { type: 'string' },
        text: { type: ['string', 'null'], description: 'Its first 200 characters.' },
        status: { type: 'string' },
        source: { type: 'string' },
        created_at: { type: 'string', format: 'date-time' },
        deleted: { type: 'boolean' },
      },
      required: ['id', 'direction', 'type', 'text', 'status', 'source', 'created_at', 'deleted'],
    }),
    unread: Type.Integer({ description: 'Messages of the person that nobody has read; 100 stands for more.' }),
    state: oneOf(['open', 'closed']),
    snoozed_until: nullable('string', { format: 'date-time', description: 'Of an open one: not shown among the open ones until then.' }),
    assignee: nullable('object', memberShape),
    labels: Type.Array(Type.String()),
    window_expires_at: nullable('string', { format: 'date-time', description: 'Until then texts may be sent; null: only templates.' }),
    opted_out: Type.Boolean({ description: 'The person wants no marketing.' }),
    last_at: moment,
  },
  { $id: 'Conversation', description: 'What a person and the team say to each other over one number.' },
)

export const ConversationChangesSchema = Type.Object(
  {
    state: Type.Optional(oneOf(['open', 'closed'])),
    assignee: Type.Optional(
      Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'A member of the account (usr_…), or null.' }),
    ),
    snoozed_until: Type.Optional(
      Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'A time ahead, which opens it too; null: not any more.' }),
    ),
    labels: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 40 }), { maxItems: 20, description: 'All labels that it has from now on.' }),
    ),
  },
  { $id: 'ConversationChanges', additionalProperties: false },
)

export const NoteSchema = Type.Object(
  {
    id: Type.String(),
    object: Type.Literal('note'),
    author: Type.Unsafe<unknown>({ type: 'object', ...memberShape }),
    text: Type.String(),
    created_at: moment,
  },
  { $id: 'Note', description: 'What the team tells itself of a conversation.' },
)

export const CannedAnswerSchema = Type.Object(
  { id: Type.String(), object: Type.Literal('canned_answer'), shortcut: Type.String(), text: Type.String() },
  { $id: 'CannedAnswer', description: 'An answer that is given often, by a short name.' },
)

export const formatListPlace = ({ lastAt, id }: ListPlace): string => `${lastAt.getTime()}.${formatId('cnv', id)}`

/** Null: it is none. */
export function parseListPlace(text: string): ListPlace | null {
  const found = /^([0-9]{1,15})\.(cnv_[0-9a-f]{32})$/.exec(text)
  const id = found?.[2] === undefined ? null : parseId('cnv', found[2])
  return id === null ? null : { lastAt: new Date(Number(found?.[1])), id }
}
