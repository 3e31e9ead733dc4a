import type { Clock } from '../../base/clock.ts'
import type { Uuid } from '../../base/id.ts'
import type { JsonText } from '../../base/json.ts'
import { limits } from '../../limits.ts'
import { biteRows, inBites } from '../../platform/database/bites.ts'
import type { Queries, Tx } from '../../platform/database/database.ts'
import { jsonTexts, statement, textsOf } from '../../platform/database/statement.ts'
import type { Message, Wamid } from './message.ts'

export type IdempotencyKey = { accountId: Uuid; livemode: boolean; key: string }
export type Remembered = { body_hash: Buffer; response: JsonText }

const findRemembered = statement(
  'find_idempotency',
  `select wanted.ord::integer as ord, body_hash, response
  from unnest($1::uuid[], $2::boolean[], $3::text[]) with ordinality as wanted (account_id, livemode, key, ord)
  join idempotency known on known.account_id = wanted.account_id and known.livemode = wanted.livemode and known.key = wanted.key
  where known.expires_at > $4`,
)

/** What was answered under each key within the last 24 hours, in the order asked. */
export async function findAnswers(queries: Queries, wanted: readonly IdempotencyKey[], now: Date): Promise<(Remembered | null)[]> {
  const found: (Remembered | null)[] = wanted.map(() => null)
  if (wanted.length === 0) return found
  const rows = await queries.run<Remembered & { ord: number }>(findRemembered, [...keyArrays(wanted), now])
  for (const row of rows) found[row.ord - 1] = row
  return found
}

const keyArrays = (keys: readonly IdempotencyKey[]) => [
  keys.map((each) => each.accountId),
  keys.map((each) => each.livemode),
  keys.map((each) => each.key),
]

const findQuotable = statement(
  'find_quotable_messages',
  `select wanted.ord::integer as ord
  from unnest($1::uuid[], $2::uuid[], $3::boolean[]) with ordinality as wanted (account_id, id, livemode, ord)
  join message on message.account_id = wanted.account_id and message.id = wanted.id and message.livemode = wanted.livemode`,
)

/** For each of these messages, in the order asked, whether that account has it in that mode. */
export async function findQuotableMessages(
  queries: Queries,
  wanted: readonly { accountId: Uuid; id: Uuid; livemode: boolean }[],
): Promise<boolean[]> {
  const found = wanted.map(() => false)
  if (wanted.length === 0) return found
  const rows = await queries.run<{ ord: number }>(findQuotable, [
    wanted.map((each) => each.accountId),
    wanted.map((each) => each.id),
    wanted.map((each) => each.livemode),
  ])
  for (const row of rows) found[row.ord - 1] = true
  return found
}

/** A send that may leave, as it is written: the message, its place in the queue and its answer. */
export type AcceptedSend = {
  message: Message
  content: JsonText
  replyToWamid: Wamid | null
  recipient: string
  shard: number
  expiresAt: Date
  answer: JsonText
  idempotency: { key: string; bodyHash: Buffer } | null
  /** The member of the team who wrote it; null: the customer's system. */
  author: Uuid | null
  /** The id of the call that asked for it, or null. */
  requestId: Uuid | null
}

const keep = statement(
  'keep_answers',
  // A key that another transaction took meanwhile is waited for and then left alone: its send is not written (rule: send 1).
  `insert into idempotency (account_id, livemode, key, body_hash, status_code, response, expires_at)
  select account_id, livemode, key, body_hash, $8::smallint, answer, $6
  from unnest($1::uuid[], $2::boolean[], $3::text[], $4::bytea[], ${textsOf('$5')}) as kept (account_id, livemode, key, body_hash, answer)
  order by account_id, livemode, key
  on conflict (account_id, livemode, key) do update
    set body_hash = excluded.body_hash, status_code = excluded.status_code, response = excluded.response, expires_at = excluded.expires_at
    where idempotency.expires_at <= $7
  returning account_id, livemode, key`,
)

const insert = statement(
  'insert_accepted_messages',
  // A message that is there already was written by this batch's first try, after all: no second queue row for it, it may have left.
  `insert into message (account_id, id, livemode, channel_id, contact_id, direction, type, kind, status, text, content,
    reply_to, reply_to_wamid, client_reference, source, media, media_id)
  select account_id, id, livemode, channel_id, contact_id, 'outbound', type, kind, 'queued', text, content,
    reply_to, reply_to_wamid, client_reference, source, media, media_id
  from unnest($1::uuid[], $2::uuid[], $3::boolean[], $4::uuid[], $5::uuid[], $6::text[], $7::text[], $8::text[], ${textsOf('$9')}::json[],
    $10::uuid[], $11::text[], $12::text[], $13::text[], $14::json[], $15::uuid[])
    as fresh (account_id, id, livemode, channel_id, contact_id, type, kind, text, content, reply_to, reply_to_wamid, client_reference, source,
      media, media_id)
  on conflict (account_id, id) do nothing
  returning id`,
)

const enqueue = statement(
  'enqueue_sends',
  // `order by ord`: the queue's sequence follows the order of acceptance.
  `insert into send_queue (account_id, message_id, channel_id, livemode, shard, contact_id, recipient, expires_at, accepted_at,
    request_id)
  select account_id, message_id, channel_id, livemode, shard, contact_id, recipient, expires_at, $9, request_id
  from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::boolean[], $5::smallint[], $6::uuid[], $7::text[], $8::timestamptz[], $10::uuid[])
    with ordinality as queued (account_id, message_id, channel_id, livemode, shard, contact_id, recipient, expires_at, request_id, ord)
  order by ord`,
)

/** Keeps the answers of sends that have a key, and answers the sends that may go on: those whose key was free, and those without one. */
export async function keepAnswersOf(tx: Tx, sends: readonly AcceptedSend[], now: Date): Promise<readonly AcceptedSend[]> {
  const keyed = sends.flatMap(({ message, answer, idempotency }) => (idempotency === null ? [] : [{ ...message, ...idempotency, answer }]))
  const kept = await keepAnswers(tx, keyed, 202, now)
  if (kept.size === keyed.length) return sends
  return sends.filter(({ message, idempotency }) => idempotency === null || kept.has(placeOf({ ...message, key: idempotency.key })))
}

/** Where an answer is remembered. */
export const placeOf = ({ accountId, livemode, key }: IdempotencyKey) => `${accountId} ${livemode} ${key}`

export type KeptAnswer = IdempotencyKey & { bodyHash: Buffer; answer: JsonText }

/** Keeps each answer under its key for 24 hours, and answers the places of those whose key was free. Each key at most once in the list. */
export async function keepAnswers(queries: Queries, answers: readonly KeptAnswer[], status: 200 | 202, now: Date): Promise<Set<string>> {
  if (answers.length === 0) return new Set()
  const rows = await queries.run<{ account_id: Uuid; livemode: boolean; key: string }>(keep, [
    ...keyArrays(answers),
    answers.map((each) => each.bodyHash),
    jsonTexts(answers.map((each) => each.answer)),
    new Date(now.getTime() + limits.idempotencyMs),
    now,
    status,
  ])
  return new Set(rows.map((row) => placeOf({ accountId: row.account_id, livemode: row.livemode, key: row.key })))
}

/** Writes the messages, and answers the ids of those that were not there already. */
export async function insertMessages(tx: Tx, sends: readonly AcceptedSend[]): Promise<Set<Uuid>> {
  if (sends.length === 0) return new Set()
  const messages = sends.map((each) => each.message)
  const rows = await tx.run<{ id: Uuid }>(insert, [
    messages.map((each) => each.accountId),
    messages.map((each) => each.id),
    messages.map((each) => each.livemode),
    messages.map((each) => each.channelId),
    messages.map((each) => each.contactId),
    messages.map((each) => each.type),
    messages.map((each) => each.kind),
    messages.map((each) => each.text),
    jsonTexts(sends.map((each) => each.content)),
    messages.map((each) => each.replyTo),
    sends.map((each) => each.replyToWamid),
    messages.map((each) => each.clientReference),
    messages.map((each) => each.source),
    messages.map((each) => each.media),
    messages.map((each) => each.mediaId),
  ])
  return new Set(rows.map((row) => row.id))
}

/** Gives sends their places in the queue, in this order. */
export async function enqueueSends(tx: Tx, sends: readonly AcceptedSend[], now: Date): Promise<void> {
  if (sends.length === 0) return
  await tx.run(enqueue, [
    sends.map((each) => each.message.accountId),
    sends.map((each) => each.message.id),
    sends.map((each) => each.message.channelId),
    sends.map((each) => each.message.livemode),
    sends.map((each) => each.shard),
    sends.map((each) => each.message.contactId),
    sends.map((each) => each.recipient),
    sends.map((each) => each.expiresAt),
    now,
    sends.map((each) => each.requestId),
  ])
}

const authors = statement(
  'insert_authors',
  `insert into message_author (account_id, message_id, user_id)
  select account_id, message_id, user_id from unnest($1::uuid[], $2::uuid[], $3::uuid[]) as written (account_id, message_id, user_id)
  on conflict (account_id, message_id) do nothing`,
)

/** Notes who of the team wrote these sends; of those of an API there is nothing to note. */
export async function insertAuthors(tx: Tx, sends: readonly AcceptedSend[]): Promise<void> {
  const written = sends.filter((each) => each.author !== null)
  if (written.length === 0) return
  await tx.run(authors, [
    written.map((each) => each.message.accountId),
    written.map((each) => each.message.id),
    written.map((each) => each.author),
  ])
}

const dropExpired = statement(
  'drop_expired_idempotency',
  // From where the bite before ended: what is deleted already is not read again. One that is just taken anew is left to the next time.
  `with expired as (
    select account_id, livemode, key, expires_at from idempotency
    where expires_at >= $2 and expires_at <= $1
    order by expires_at
    limit $3
    for update skip locked
  ), gone as (
    delete from idempotency using expired
    where idempotency.account_id = expired.account_id and idempotency.livemode = expired.livemode and idempotency.key = expired.key
    returning expired.expires_at
  )
  select count(*)::integer as amount, max(expires_at) as last from gone`,
)

const firstMoment = new Date(0)
const dropMsMax = 10_000

/** Forgets the answers whose time is over, as many as there are; after 10 s it returns true: more are left, and it should come again soon. */
export async function dropExpiredAnswers(queries: Queries, clock: Clock): Promise<boolean> {
  const now = clock.now()
  let from = firstMoment
  return inBites(clock, dropMsMax, async () => {
    const [row] = await queries.run<{ amount: number; last: Date | null }>(dropExpired, [now, from, biteRows])
    from = row?.last ?? from
    return row?.amount ?? 0
  })
}
