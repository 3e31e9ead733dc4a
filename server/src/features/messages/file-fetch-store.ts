import type { Uuid } from '../../base/id.ts'
import type { JsonText } from '../../base/json.ts'
import type { Queries, Tx } from '../../platform/database/database.ts'
import { statement } from '../../platform/database/statement.ts'
import { shardOf } from '../../platform/lanes/shard.ts'
import type { DueFetch, FileFetch } from './file-fetch.ts'

const insert = statement(
  'queue_file_fetches',
  `insert into file_fetch (account_id, message_id, channel_id, livemode, shard, upstream_id, sha256, mime_type, file_name, kind, next_at, created_at)
  select account_id, message_id, channel_id, livemode, shard, upstream_id, sha256, mime_type, file_name, kind, $11, $11
  from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::boolean[], $5::smallint[], $6::text[], $7::bytea[], $8::text[], $9::text[], $10::text[])
    as wanted (account_id, message_id, channel_id, livemode, shard, upstream_id, sha256, mime_type, file_name, kind)
  order by account_id, message_id
  on conflict (account_id, message_id) do nothing`,
)

/** Writes down, in the transaction that writes the messages, that their files are to be fetched. */
export async function queueFileFetches(tx: Tx, wanted: readonly FileFetch[], now: Date): Promise<void> {
  if (wanted.length === 0) return
  await tx.run(insert, [
    wanted.map((each) => each.accountId),
    wanted.map((each) => each.messageId),
    wanted.map((each) => each.channelId),
    wanted.map((each) => each.livemode),
    wanted.map((each) => shardOf(each.accountId, each.channelId)),
    wanted.map((each) => each.upstreamId),
    wanted.map((each) => each.sha256),
    wanted.map((each) => each.mimeType),
    wanted.map((each) => each.fileName),
    wanted.map((each) => each.kind),
    now,
  ])
}

const takeDue = statement(
  'find_due_file_fetches',
  // A loose index scan over the accounts that have something to fetch, and a few from each: nobody's backlog hides another's.
  `with recursive account as (
    (select shard, account_id from file_fetch
      where not given_up and shard >= $1
      order by shard, account_id limit 1)
    union all
    select next.* from account, lateral (
      select shard, account_id from file_fetch
      where not given_up and (shard, account_id) > (account.shard, account.account_id)
      order by shard, account_id limit 1) as next
  )
  select due.* from account cross join lateral (
    select account_id, message_id, channel_id, livemode, shard, upstream_id, sha256, mime_type, file_name, kind, tries, is_again from file_fetch
    where file_fetch.shard = account.shard and file_fetch.account_id = account.account_id and not given_up and next_at <= $3
    order by next_at
    limit $4
  ) as due
  where account.shard = any($2::smallint[])
  limit $5`,
)

const senderOf = statement('select_sender_of_file', 'select contact_id from message where account_id = $1 and id = $2')

/** With whom the message of a file was exchanged; null: it is gone. */
export async function findSenderOfFile(queries: Queries, { accountId, messageId }: FileFetch): Promise<Uuid | null> {
  const [row] = await queries.run<{ contact_id: Uuid }>(senderOf, [accountId, messageId])
  return row?.contact_id ?? null
}

type Row = {
  account_id: Uuid
  message_id: Uuid
  channel_id: Uuid
  livemode: boolean
  shard: number
  upstream_id: string
  sha256: Buffer | null
  mime_type: string | null
  file_name: string | null
  kind: FileFetch['kind']
  tries: number
  is_again: boolean
}

/**
 * What is due in these shards from `fromShard` on, the oldest `most` of each account in a shard, and from which shard to look next: the first again,
 * unless there was more than one look takes.
 */
export async function findDueFetches(
  queries: Queries,
  { shards, fromShard, now, most }: { shards: readonly number[]; fromShard: number; now: Date; most: number },
): Promise<{ due: DueFetch[]; nextShard: number }> {
  if (shards.length === 0) return { due: [], nextShard: 0 }
  const rows = await queries.run<Row>(takeDue, [Math.max(fromShard, Math.min(...shards)), shards, now, most, dueMax])
  const nextShard = rows.length < dueMax ? 0 : Math.max(...rows.map((row) => row.shard)) + 1
  return { due: rows.map(dueOf), nextShard }
}

const dueMax = 2_000

function dueOf(row: Row): DueFetch {
  return {
    accountId: row.account_id,
    messageId: row.message_id,
    channelId: row.channel_id,
    livemode: row.livemode,
    shard: row.shard,
    upstreamId: row.upstream_id,
    sha256: row.sha256,
    mimeType: row.mime_type,
    fileName: row.file_name,
    kind: row.kind,
    tries: row.tries,
    isAgain: row.is_again,
  }
}

const postpone = statement(
  'postpone_file_fetch',
  `update file_fetch set tries = $3, next_at = $4
  where account_id = $1 and message_id = $2 and not given_up and tries < $3`,
)

/** After a failed try, the `tries`-th; two processes that tried at the same time count once. */
export async function postponeFetch(queries: Queries, { accountId, messageId }: FileFetch, tries: number, nextAt: Date): Promise<void> {
  await queries.run(postpone, [accountId, messageId, tries, nextAt])
}

const finish = statement(
  'finish_file_fetch',
  'delete from file_fetch where account_id = $1 and message_id = $2 and not given_up returning message_id',
)

/** True for the one that ends it; whoever else fetched the same file has nothing more to tell. */
export async function finishFetch(tx: Tx, { accountId, messageId }: FileFetch): Promise<boolean> {
  return (await tx.run(finish, [accountId, messageId])).length > 0
}

const giveUp = statement(
  'give_up_file_fetch',
  'update file_fetch set given_up = true, tries = $3 where account_id = $1 and message_id = $2 and not given_up returning message_id',
)

/** Leaves it for a retry by hand; true for the one that gives it up. */
export async function giveUpFetch(tx: Tx, { accountId, messageId }: FileFetch, tries: number): Promise<boolean> {
  return (await tx.run(giveUp, [accountId, messageId, tries])).length > 0
}

const retry = statement(
  'retry_file_fetch',
  `update file_fetch set given_up = false, is_again = true, tries = 0, next_at = $3
  where account_id = $1 and message_id = $2 and given_up
  returning message_id`,
)

/** Lets a file that was given up be fetched again, from the first try; true: there was one. */
export async function retryFetch(tx: Tx, { accountId, id }: { accountId: Uuid; id: Uuid }, now: Date): Promise<boolean> {
  return (await tx.run(retry, [accountId, id, now])).length > 0
}

const cancel = statement(
  'cancel_file_fetches',
  `delete from file_fetch
  using unnest($1::uuid[], $2::uuid[]) as deleted (account_id, message_id)
  where file_fetch.account_id = deleted.account_id and file_fetch.message_id = deleted.message_id
  returning file_fetch.message_id, given_up or is_again as given_up`,
)

/** The messages were deleted: answers those of which nothing was told yet, because their file was still to come. */
export async function cancelFetches(tx: Tx, messages: readonly { accountId: Uuid; id: Uuid }[]): Promise<Set<Uuid>> {
  if (messages.length === 0) return new Set()
  const rows = await tx.run<{ message_id: Uuid; given_up: boolean }>(cancel, [
    messages.map((each) => each.accountId),
    messages.map((each) => each.id),
  ])
  return new Set(rows.filter((row) => !row.given_up).map((row) => row.message_id))
}

const setFile = statement(
  'set_file_of_message',
  'update message set media = $3, media_id = $4, text = $5 where account_id = $1 and id = $2',
)

/** Writes the file of a message that this transaction has locked. */
export async function setFileOfMessage(
  tx: Tx,
  message: { accountId: Uuid; id: Uuid; media: JsonText | null; mediaId: Uuid | null; text: string | null },
): Promise<void> {
  await tx.run(setFile, [message.accountId, message.id, message.media, message.mediaId, message.text])
}
