import { sql } from 'kysely'
import type { Uuid } from '../../base/id.ts'
import type { Queries, Tx } from '../../platform/database/database.ts'
import { isOutage } from '../../platform/database/failure.ts'
import { queryBuilder, statement } from '../../platform/database/statement.ts'

export type SearchedMessage = {
  accountId: Uuid
  id: Uuid
  livemode: boolean
  channelId: Uuid
  contactId: Uuid
  /** As `searchWords` makes them. */
  words: string
}

const writeMessages = statement(
  'write_message_words',
  `insert into message_search (account_id, message_id, livemode, channel_id, contact_id, words)
  select account_id, message_id, livemode, channel_id, contact_id, words
  from unnest($1::uuid[], $2::uuid[], $3::boolean[], $4::uuid[], $5::uuid[], $6::text[])
    as said (account_id, message_id, livemode, channel_id, contact_id, words)
  on conflict (account_id, message_id) do update set words = excluded.words
  where message_search.words <> excluded.words`,
)

/** Lets messages be found by their words, each once in the list. */
export async function writeMessageWords(tx: Tx, said: readonly SearchedMessage[]): Promise<void> {
  if (said.length === 0) return
  await tx.run(writeMessages, [
    said.map((each) => each.accountId),
    said.map((each) => each.id),
    said.map((each) => each.livemode),
    said.map((each) => each.channelId),
    said.map((each) => each.contactId),
    said.map((each) => each.words),
  ])
}

const dropMessages = statement(
  'drop_message_words',
  `delete from message_search using unnest($1::uuid[], $2::uuid[]) as gone (account_id, message_id)
  where message_search.account_id = gone.account_id and message_search.message_id = gone.message_id`,
)

/** These messages say nothing any more, or never did. */
export async function dropMessageWords(tx: Tx, gone: readonly { accountId: Uuid; id: Uuid }[]): Promise<void> {
  if (gone.length === 0) return
  await tx.run(dropMessages, [gone.map((each) => each.accountId), gone.map((each) => each.id)])
}

export type SearchedPerson = { accountId: Uuid; contactId: Uuid; livemode: boolean; words: string }

const writePeople = statement(
  'write_person_words',
  `insert into person_search (account_id, contact_id, livemode, words)
  select account_id, contact_id, livemode, words
  from unnest($1::uuid[], $2::uuid[], $3::boolean[], $4::text[]) as named (account_id, contact_id, livemode, words)
  on conflict (account_id, contact_id) do update set words = excluded.words
  where person_search.words <> excluded.words`,
)

/** Lets people be found by name and phone, each once in the list. */
export async function writePersonWords(tx: Tx, people: readonly SearchedPerson[]): Promise<void> {
  if (people.length === 0) return
  await tx.run(writePeople, [
    people.map((each) => each.accountId),
    people.map((each) => each.contactId),
    people.map((each) => each.livemode),
    people.map((each) => each.words),
  ])
}

type Tables = {
  message_search: { account_id: Uuid; message_id: Uuid; livemode: boolean; channel_id: Uuid; contact_id: Uuid; words: string }
  person_search: { account_id: Uuid; contact_id: Uuid; livemode: boolean; words: string }
}
const build = queryBuilder<Tables>()

export type Found = { messageId: Uuid; channelId: Uuid; contactId: Uuid }
type Of = { accountId: Uuid; livemode: boolean }

/** So many of the newest messages are looked at one by one before the index of words is asked. */
const newestLookedAt = 2_000

/**
 * Messages whose words match all of the patterns, newest first, at most `most`. What many messages say is soon found among the newest; what few say is
 * found by the index, which would have to collect all of the former. Not prepared, because the right plan depends on how much there is.
 */
export async function searchMessages(queries: Queries, of: Of, patterns: readonly string[], most: number): Promise<Found[]> {
  const newest = await amongNewest(queries, of, patterns, most)
  if (newest.length >= most) return newest
  // A rare pattern of common letters may read all messages: it is given up, and what the newest have is shown.
  return amongAll(queries, of, patterns, most).catch((error: unknown) => {
    if (isOutage(error)) return newest
    throw error
  })
}

async function amongNewest(queries: Queries, { accountId, livemode }: Of, patterns: readonly string[], most: number): Promise<Found[]> {
  const rows = await queries.all(
    build
      .selectFrom('message_search')
      .select(['message_id', 'channel_id', 'contact_id'])
      .where('account_id', '=', accountId)
      .where('message_id', '>=', oldestOf(accountId))
      // Never by the index of words: an expression has none.
      .where(sql<boolean>`livemode = ${livemode} and (words || '') like all (${patterns})`)
      .orderBy('message_id', 'desc')
      .limit(most),
  )
  return rows.map(foundOf)
}

const oldestOf = (accountId: Uuid) => sql<Uuid>`coalesce((
  select message_id from message_search where account_id = ${accountId} order by message_id desc offset ${newestLookedAt - 1} limit 1
), '00000000-0000-0000-0000-000000000000')`

async function amongAll(queries: Queries, { accountId, livemode }: Of, patterns: readonly string[], most: number): Promise<Found[]> {
  // Sorted afterwards: asked for in this order, the planner would rather read all messages in it.
  const found = build
    .selectFrom('message_search')
    .select(['message_id', 'channel_id', 'contact_id'])
    .where('account_id', '=', accountId)
    .where('livemode', '=', livemode)
    .where((eb) => eb.and(patterns.map((pattern) => eb('words', 'like', pattern))))
    .offset(0)
  const rows = await queries.all(
    queryBuilder<Record<never, never>>()
      .selectFrom(found.as('found'))
      .select(['found.message_id', 'found.channel_id', 'found.contact_id'])
      .orderBy('found.message_id', 'desc')
      .limit(most),
  )
  return rows.map(foundOf)
}

const foundOf = (row: { message_id: Uuid; channel_id: Uuid; contact_id: Uuid }): Found => ({
  messageId: row.message_id,
  channelId: row.channel_id,
  contactId: row.contact_id,
})

/** People whose name or phone matches all of the patterns, at most `most`. */
export async function searchPeople(
  queries: Queries,
  { accountId, livemode }: Of,
  patterns: readonly string[],
  most: number,
): Promise<Uuid[]> {
  const rows = await queries.all(
    build
      .selectFrom('person_search')
      .select('contact_id')
      .where('account_id', '=', accountId)
      .where('livemode', '=', livemode)
      .where((eb) => eb.and(patterns.map((pattern) => eb('words', 'like', pattern))))
      .limit(most),
  )
  return rows.map((row) => row.contact_id)
}
