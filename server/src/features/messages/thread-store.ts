import type { Uuid } from '../../base/id.ts'
import type { JsonText } from '../../base/json.ts'
import type { Queries, Tx } from '../../platform/database/database.ts'
import { statement } from '../../platform/database/statement.ts'
import type { Message } from './message.ts'
import { type MessageRow, messageColumns, messageOf } from './store.ts'

/** Whose messages a thread has: one person's, under all of their ids, with one number. */
export type ThreadOf = { accountId: Uuid; livemode: boolean; channelId: Uuid; contactIds: readonly Uuid[] }

const columns = messageColumns.map((column) => `message.${column}`).join(', ')

const threadBefore = statement(
  'list_thread_before',
  // By `message_by_contact`, for each id of the person: nearly everybody has one.
  `select page.* from unnest($3::uuid[]) as person (id)
  cross join lateral (
    select ${columns} from message
    where message.account_id = $1 and message.contact_id = person.id and message.id < $5
      and message.channel_id = $4 and message.livemode = $2
    order by message.id desc
    limit $6
  ) as page
  order by page.id desc
  limit $6`,
)

const threadAfter = statement(
  'list_thread_after',
  `select page.* from unnest($3::uuid[]) as person (id)
  cross join lateral (
    select ${columns} from message
    where message.account_id = $1 and message.contact_id = person.id and message.id > $5
      and message.channel_id = $4 and message.livemode = $2
    order by message.id
    limit $6
  ) as page
  order by page.id
  limit $6`,
)

/** Beyond every id. */
export const lastUuid = 'ffffffff-ffff-ffff-ffff-ffffffffffff' as Uuid

/** The newest messages of a thread below an id, newest first, at most `most`. */
export async function listThreadBefore(queries: Queries, of: ThreadOf, id: Uuid, most: number): Promise<Message[]> {
  return (await queries.run<MessageRow>(threadBefore, [...valuesOf(of), id, most])).map(messageOf)
}

/** The oldest messages of a thread above an id, oldest first, at most `most`. */
export async function listThreadAfter(queries: Queries, of: ThreadOf, id: Uuid, most: number): Promise<Message[]> {
  return (await queries.run<MessageRow>(threadAfter, [...valuesOf(of), id, most])).map(messageOf)
}

const valuesOf = (of: ThreadOf) => [of.accountId, of.livemode, of.contactIds, of.channelId]

/** Not as the index of all that an account received has it: it would be read instead of the person's own messages. */
const isInbound = "(message.direction || '') = 'inbound'"

const countUnread = statement(
  'count_unread_messages',
  // Counted anew, and not added up: so the same change may be seen twice. A hundred are enough to know that there are many.
  `select wanted.ord::integer as ord, unread.amount
  from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::boolean[], $5::uuid[])
    with ordinality as wanted (account_id, contact_id, channel_id, livemode, read_to, ord)
  cross join lateral (
    select count(*)::integer as amount from (
      select message.id from message
      where message.account_id = wanted.account_id and message.contact_id = wanted.contact_id and message.id > wanted.read_to
        and message.channel_id = wanted.channel_id and message.livemode = wanted.livemode
        and ${isInbound} and not message.untold
      limit 100
    ) as newer
  ) as unread`,
)

/** How many messages each of these people has sent after an id, up to 100. In the order asked. */
export async function countInboundAfter(queries: Queries, wanted: readonly (ThreadOf & { after: Uuid })[]): Promise<number[]> {
  const counts = wanted.map(() => 0)
  if (wanted.length === 0) return counts
  const ofIds = wanted.flatMap((each, place) => each.contactIds.map((contactId) => ({ ...each, contactId, place })))
  const rows = await queries.run<{ ord: number; amount: number }>(countUnread, [
    ofIds.map((each) => each.accountId),
    ofIds.map((each) => each.contactId),
    ofIds.map((each) => each.channelId),
    ofIds.map((each) => each.livemode),
    ofIds.map((each) => each.after),
  ])
  for (const row of rows) {
    const place = ofIds[row.ord - 1]?.place ?? 0
    counts[place] = Math.min(100, (counts[place] ?? 0) + row.amount)
  }
  return counts
}

const find = statement(
  'find_messages',
  // No join with the list of ids: of one account, and made while it was empty, its plan would compare each with each.
  `select ${columns} from message where message.account_id = $1 and message.id = any($2::uuid[]) and message.livemode = $3`,
)

/** Messages by id, in no order; those that are not there are left out. */
export async function findMessages(queries: Queries, accountId: Uuid, livemode: boolean, ids: readonly Uuid[]): Promise<Message[]> {
  if (ids.length === 0) return []
  return (await queries.run<MessageRow>(find, [accountId, ids, livemode])).map(messageOf)
}

const findNewestInbound = statement(
  'find_newest_inbound',
  `select newest.* from unnest($3::uuid[]) as person (id)
  cross join lateral (
    select message.id from message
    where message.account_id = $1 and message.contact_id = person.id and message.channel_id = $4 and message.livemode = $2
      and ${isInbound} and not message.untold
    order by message.id desc
    limit 1
  ) as newest
  order by newest.id desc
  limit 1`,
)

/** The last message that the person sent, as far as it was told; null: none. */
export async function newestInbound(queries: Queries, of: ThreadOf): Promise<Uuid | null> {
  const rows = await queries.run<{ id: Uuid }>(findNewestInbound, valuesOf(of))
  return rows[0]?.id ?? null
}

/** What the team sees of a message beside the message itself. */
export type Beside = {
  /** What went upstream, of a send. */
  content: JsonText | null
  author: Uuid | null
  own_emoji: string | null
  own_at: Date | null
  file_given_up: boolean | null
}

const readBeside = statement(
  'read_beside_messages',
  // Subqueries, which are looked up one by one: joined while its table was empty, each would be read for all of the account.
  `select message.id, message.content,
    (select author.user_id from message_author author where author.account_id = $1 and author.message_id = message.id) as author,
    (select own.emoji from message_own_reaction own where own.account_id = $1 and own.message_id = message.id) as own_emoji,
    (select own.reacted_at from message_own_reaction own where own.account_id = $1 and own.message_id = message.id) as own_at,
    (select file.given_up from file_fetch file where file.account_id = $1 and file.message_id = message.id) as file_given_up
  from message where message.account_id = $1 and message.id = any($2::uuid[])`,
)

export async function findBeside(queries: Queries, accountId: Uuid, ids: readonly Uuid[]): Promise<Map<Uuid, Beside>> {
  if (ids.length === 0) return new Map()
  const rows = await queries.run<Beside & { id: Uuid }>(readBeside, [accountId, ids])
  return new Map(rows.map((row) => [row.id, row]))
}

const readReactions = statement(
  'read_reactions_to_messages',
  `select reaction.message_id, reaction.contact_id, reaction.emoji, reaction.reacted_at
  from message_reaction reaction
  where reaction.account_id = $1 and reaction.message_id = any($2::uuid[]) and reaction.emoji <> ''
  order by reaction.reacted_at`,
)

export type ReactionRow = { message_id: Uuid; contact_id: Uuid; emoji: string; reacted_at: Date }

/** What people think of these messages, oldest first. */
export async function findReactionsOf(queries: Queries, accountId: Uuid, ids: readonly Uuid[]): Promise<ReactionRow[]> {
  return ids.length === 0 ? [] : queries.run<ReactionRow>(readReactions, [accountId, ids])
}

const writeOwn = statement(
  'write_own_reaction',
  `insert into message_own_reaction (account_id, message_id, emoji, reacted_at) values ($1, $2, $3, $4)
  on conflict (account_id, message_id) do update set emoji = excluded.emoji, reacted_at = excluded.reacted_at`,
)

/** Writes our own reaction; the one of before is over. */
export async function writeOwnReaction(tx: Tx, own: { accountId: Uuid; messageId: Uuid; emoji: string; at: Date }): Promise<void> {
  await tx.run(writeOwn, [own.accountId, own.messageId, own.emoji, own.at])
}

const findFacts = statement(
  'find_messages_to_fold',
  `select message.account_id, message.id, message.livemode, message.channel_id, message.contact_id, message.direction, message.source,
    message.untold, message.kind
  from unnest($1::uuid[], $2::uuid[]) as wanted (account_id, id)
  join message on message.account_id = wanted.account_id and message.id = wanted.id`,
)

/** As much of a message as tells what it does to its conversation. */
export type MessageFact = Pick<
  Message,
  'accountId' | 'id' | 'livemode' | 'channelId' | 'contactId' | 'direction' | 'source' | 'untold' | 'kind'
>
type FactRow = Pick<MessageRow, 'account_id' | 'id' | 'livemode' | 'channel_id' | 'contact_id' | 'direction' | 'source' | 'untold' | 'kind'>

const factOf = (row: FactRow): MessageFact => ({
  accountId: row.account_id,
  id: row.id,
  livemode: row.livemode,
  channelId: row.channel_id,
  contactId: row.contact_id,
  direction: row.direction,
  source: row.source,
  untold: row.untold,
  kind: row.kind,
})

export async function findMessageFacts(queries: Queries, wanted: readonly { accountId: Uuid; id: Uuid }[]): Promise<MessageFact[]> {
  if (wanted.length === 0) return []
  return (await queries.run<FactRow>(findFacts, listsOf(wanted))).map(factOf)
}

const listsOf = (wanted: readonly { accountId: Uuid; id: Uuid }[]) => [wanted.map((each) => each.accountId), wanted.map((each) => each.id)]

const sweep = statement(
  'sweep_messages',
  `select account_id, id from message where (account_id, id) > ($1, $2) order by account_id, id limit $3`,
)

/** All messages after one, account by account and in the order of their ids, at most `most`. */
export async function sweepMessages(
  queries: Queries,
  after: { accountId: Uuid; id: Uuid },
  most: number,
): Promise<{ accountId: Uuid; id: Uuid }[]> {
  const rows = await queries.run<{ account_id: Uuid; id: Uuid }>(sweep, [after.accountId, after.id, most])
  return rows.map((row) => ({ accountId: row.account_id, id: row.id }))
}

const findWords = statement(
  'find_words_of_messages',
  `select message.account_id, message.id, message.livemode, message.channel_id, message.contact_id, left(message.text, 4096) as text
  from unnest($1::uuid[], $2::uuid[]) as wanted (account_id, id)
  join message on message.account_id = wanted.account_id and message.id = wanted.id`,
)

export type MessageWords = Pick<MessageFact, 'accountId' | 'id' | 'livemode' | 'channelId' | 'contactId'> & { text: string | null }

/** What messages say, for the search. */
export async function findMessageWords(queries: Queries, wanted: readonly { accountId: Uuid; id: Uuid }[]): Promise<MessageWords[]> {
  if (wanted.length === 0) return []
  const rows = await queries.run<FactRow & { text: string | null }>(findWords, listsOf(wanted))
  return rows.map((row) => {
    const { accountId, id, livemode, channelId, contactId } = factOf(row)
    return { accountId, id, livemode, channelId, contactId, text: row.text }
  })
}
