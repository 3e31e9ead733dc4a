import { Type } from 'typebox'
import { present } from '../../base/assert.ts'
import { formatId, type Uuid } from '../../base/id.ts'
import type { JsonText } from '../../base/json.ts'
import type { Queries } from '../../platform/database/database.ts'
import { findContactsById } from '../contacts/public.ts'
import type { Message } from './message.ts'
import { type Beside, findBeside, findMessages, findReactionsOf, type ReactionRow } from './thread-store.ts'
import { MessageSchema, messageJson } from './wire.ts'

const nullable = (type: 'string' | 'object', more: object = {}) => Type.Unsafe<unknown>({ type: [type, 'null'], ...more })

/** A message as the team sees it: with what the contract leaves to the customer's own system. */
export const TeamMessageSchema = Type.Object(
  {
    ...MessageSchema.properties,
    kind: Type.String({
      description: 'What the caller or the platform called it, where `type` is coarser; `placeholder`: only what was done to it is known.',
    }),
    content: nullable('object', {
      additionalProperties: true,
      description: 'Of a sent message: what went to the platform. Of a received one see `meta`.',
    }),
    quoted: Type.Unsafe<unknown>({
      type: ['object', 'null'],
      description: 'The quoted message, as far as it is one of ours.',
      properties: {
        id: { type: 'string' },
        direction: { type: 'string' },
        type: { type: 'string' },
        text: { type: ['string', 'null'] },
      },
      required: ['id', 'direction', 'type', 'text'],
    }),
    reactions: Type.Array(
      Type.Object({
        emoji: Type.String(),
        by: Type.Unsafe<'contact' | 'us'>({ type: 'string', enum: ['contact', 'us'] }),
        created_at: Type.String({ format: 'date-time' }),
      }),
    ),
    edited_at: nullable('string', { format: 'date-time' }),
    deleted_at: nullable('string', { format: 'date-time' }),
    failed_at: nullable('string', { format: 'date-time' }),
    outcome_unknown: Type.Boolean({ description: 'It may or may not have been sent.' }),
    author: Type.Unsafe<unknown>({
      type: ['object', 'null'],
      description: 'The member of the team who wrote it.',
      properties: { id: { type: 'string' }, name: { type: ['string', 'null'] } },
      required: ['id', 'name'],
    }),
    file_state: Type.Unsafe<unknown>({
      type: ['string', 'null'],
      enum: ['fetching', 'failed', null],
      description: 'Of a file that is still with the platform.',
    }),
  },
  { $id: 'TeamMessage', description: 'One message in either direction, as the team sees it.' },
)

/** How members of the team are called, by id; those who are not known are missing. */
export type NamesOf = (userIds: readonly Uuid[]) => Promise<Map<Uuid, string>>

type Deps = { database: Queries; namesOf: NamesOf }

/** Messages of one account as the team sees them, as finished JSON, in the order given. */
export async function teamMessages({ database, namesOf }: Deps, accountId: Uuid, messages: readonly Message[]): Promise<JsonText[]> {
  if (messages.length === 0) return []
  const ids = messages.map((each) => each.id)
  const [beside, reactions, contacts, quoted] = await Promise.all([
    findBeside(database, accountId, ids),
    findReactionsOf(database, accountId, ids),
    findContactsById(
      database,
      messages.map((each) => ({ accountId, id: each.contactId })),
    ),
    findQuoted(database, accountId, messages),
  ])
  const authors = [...new Set([...beside.values()].flatMap((each) => each.author ?? []))]
  const names = authors.length === 0 ? new Map<Uuid, string>() : await namesOf(authors)
  const people = new Map(contacts.map((contact) => [contact.ord, contact]))
  const reactionsOf = Map.groupBy(reactions, (each) => each.message_id)
  return messages.map((message, i) => {
    const json = messageJson(message, present(people.get(i + 1), 'a message has its contact'))
    const more = besideJson(message, beside.get(message.id), names, reactionsOf.get(message.id) ?? [])
    const original = message.replyTo === null ? null : (quoted.get(message.replyTo) ?? null)
    return `${json.slice(0, -1)},${more},"quoted":${JSON.stringify(original)}}` as JsonText
  })
}

function besideJson(
  message: Message,
  beside: Beside | undefined,
  names: ReadonlyMap<Uuid, string>,
  reactions: readonly ReactionRow[],
): string {
  const author = beside?.author ?? null
  const own = beside?.own_emoji ? [{ emoji: beside.own_emoji, by: 'us', created_at: beside.own_at }] : []
  const more = JSON.stringify({
    kind: message.kind,
    reactions: [...reactions.map((each) => ({ emoji: each.emoji, by: 'contact', created_at: each.reacted_at })), ...own],
    edited_at: message.editedAt,
    deleted_at: message.deletedAt,
    failed_at: message.failedAt,
    outcome_unknown: message.outcomeUnknown,
    author: author === null ? null : { id: formatId('usr', author), name: names.get(author) ?? null },
    file_state: fileState(beside?.file_given_up ?? null),
  })
  return `${more.slice(1, -1)},"content":${beside?.content ?? 'null'}`
}

const fileState = (givenUp: boolean | null) => (givenUp === null ? null : givenUp ? 'failed' : 'fetching')

/** So much of a quoted message is shown. */
const quotedCharsMax = 300

async function findQuoted(queries: Queries, accountId: Uuid, messages: readonly Message[]) {
  const ids = [...new Set(messages.flatMap((each) => each.replyTo ?? []))]
  const livemode = messages[0]?.livemode ?? true
  const found = await findMessages(queries, accountId, livemode, ids)
  return new Map(
    found.map(({ id, direction, type, text }) => [
      id,
      { id: formatId('msg', id), direction, type, text: text === null ? null : cut(text, quotedCharsMax) },
    ]),
  )
}

/** The beginning of a text, not in the middle of a character. */
export function cut(text: string, charsMax: number): string {
  return text.length <= charsMax ? text : `${[...text.slice(0, charsMax)].slice(0, -1).join('')}…`
}
