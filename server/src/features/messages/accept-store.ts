import type { Uuid } from '../../base/id.ts'
import type { JsonText } from '../../base/json.ts'
import type { Queries, Tx } from '../../platform/database/database.ts'
import { statement } from '../../platform/database/statement.ts'
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

const findWritten = statement(
  'find_written_messages',
  `select message.id
  from unnest($1::uuid[], $2::uuid[]) as wanted (account_id, id)
  join message on message.account_id = wanted.account_id and message.id = wanted.id`,
)

/** Which of these messages are there: after a lost connection the commit may have been done. */
export async function findWrittenMessages(queries: Queries, ids: readonly { accountId: Uuid; id: Uuid }[]): Promise<Set<Uuid>> {
  const rows = await queries.run<{ id: Uuid }>(findWritten, [ids.map((each) => each.accountId), ids.map((each) => each.id)])
  return new Set(rows.map((row) => row.id))
}

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
  idempotency: { key: string; bodyHash: Buffer; expiresAt: Date } | null
}

const write = statement(
  'write_accepted_sends',
  // One statement, so that message, queue row and idempotency row stand or fall together.
  // A key that another transaction took meanwhile is waited for and then left alone: its send is not written (rule: send 1).
  // A message that is there already was written by this batch's first try: no second queue row for it, it may have left.
  // `order by ord`: the queue's sequence follows the order of acceptance.
  `with fresh as (
    select * from unnest($1::uuid[], $2::uuid[], $3::boolean[], $4::uuid[], $5::uuid[], $6::text[], $7::text[], $8::text[], $9::json[],
      $10::uuid[], $11::text[], $12::text[], $13::text[], $14::text[], $15::smallint[], $16::timestamptz[], $17::text[],
      $18::text[], $19::bytea[], $20::timestamptz[])
      with ordinality as fresh (account_id, id, livemode, channel_id, contact_id, type, kind, text, content,
        reply_to, reply_to_wamid, client_reference, source, recipient, shard, expires_at, answer, key, body_hash, key_expires_at, ord)
  ), kept as (
    insert into idempotency (account_id, livemode, key, body_hash, status_code, response, expires_at)
    select account_id, livemode, key, body_hash, 202, answer, key_expires_at
    from fresh where key is not null
    order by account_id, livemode, key
    on conflict (account_id, livemode, key) do update
      set body_hash = excluded.body_hash, status_code = excluded.status_code, response = excluded.response, expires_at = excluded.expires_at
      where idempotency.expires_at <= $21
    returning account_id, livemode, key
  ), written as (
    insert into message (account_id, id, livemode, channel_id, contact_id, direction, type, kind, status, text, content,
      reply_to, reply_to_wamid, client_reference, source)
    select account_id, id, livemode, channel_id, contact_id, 'outbound', type, kind, 'queued', text, content,
      reply_to, reply_to_wamid, client_reference, source
    from fresh
    where key is null or exists (
      select 1 from kept where kept.account_id = fresh.account_id and kept.livemode = fresh.livemode and kept.key = fresh.key)
    on conflict (account_id, id) do nothing
    returning id
  )
  insert into send_queue (account_id, message_id, channel_id, livemode, shard, contact_id, recipient, accepted_at, expires_at)
  select account_id, id, channel_id, livemode, shard, contact_id, recipient, $21, expires_at
  from fresh join written using (id)
  order by ord
  returning message_id`,
)

/** Writes accepted sends in this order and answers the ids of those that were written; a missing one lost its key to another request. */
export async function writeAccepted(tx: Tx, sends: readonly AcceptedSend[], now: Date): Promise<Set<Uuid>> {
  const messages = sends.map((each) => each.message)
  const rows = await tx.run<{ message_id: Uuid }>(write, [
    messages.map((each) => each.accountId),
    messages.map((each) => each.id),
    messages.map((each) => each.livemode),
    messages.map((each) => each.channelId),
    messages.map((each) => each.contactId),
    messages.map((each) => each.type),
    messages.map((each) => each.kind),
    messages.map((each) => each.text),
    sends.map((each) => each.content),
    messages.map((each) => each.replyTo),
    sends.map((each) => each.replyToWamid),
    messages.map((each) => each.clientReference),
    messages.map((each) => each.source),
    sends.map((each) => each.recipient),
    sends.map((each) => each.shard),
    sends.map((each) => each.expiresAt),
    sends.map((each) => each.answer),
    sends.map((each) => each.idempotency?.key ?? null),
    sends.map((each) => each.idempotency?.bodyHash ?? null),
    sends.map((each) => each.idempotency?.expiresAt ?? null),
    now,
  ])
  return new Set(rows.map((row) => row.message_id))
}

const dropExpired = statement(
  'drop_expired_idempotency',
  // A bounded bite: the task comes again.
  `delete from idempotency where (account_id, livemode, key) in (
    select account_id, livemode, key from idempotency where expires_at <= $1 limit 5000)`,
)

export async function dropExpiredAnswers(queries: Queries, now: Date): Promise<void> {
  await queries.run(dropExpired, [now])
}
