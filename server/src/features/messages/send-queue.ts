import type { Uuid } from '../../base/id.ts'
import type { JsonText } from '../../base/json.ts'
import type { Queries, Tx } from '../../platform/database/database.ts'
import { statement } from '../../platform/database/statement.ts'
import { type FencedShard, fence, fenceValues } from '../../platform/lanes/fence.ts'
import type { MessageStatus, Wamid } from './message.ts'

/** Where sends wait in order: one number of one account in one mode. */
export type LaneHint = { accountId: Uuid; channelId: Uuid; livemode: boolean; shard: number }

/** A send that waits. */
export type QueuedSend = {
  accountId: Uuid
  messageId: Uuid
  contactId: Uuid
  seq: number
  recipient: string
  expiresAt: Date
  notBefore: Date | null
}

/** One upstream call of one message: what intents, outcomes and the echoed id speak of. */
export type Attempt = { accountId: Uuid; messageId: Uuid; attempt: number }

/**
 * The state of a row that is found by its key. Written so that the indexes over waiting and over open sends cannot serve: while the queue
 * was empty they cost the same as the key, and a plan made then reads everything that waits, for each send.
 */
const stateByKey = '(send_queue.state + 0)'

const discover = statement(
  'discover_send_lanes',
  // A loose index scan: one probe of send_queue_lane for each lane, however many rows wait in it.
  `with recursive lane as (
    (select shard, account_id, channel_id, livemode from send_queue
      where state = 0 and shard >= $1
      order by shard, account_id, channel_id, livemode limit 1)
    union all
    select next.* from lane, lateral (
      select shard, account_id, channel_id, livemode from send_queue
      where state = 0 and (shard, account_id, channel_id, livemode) > (lane.shard, lane.account_id, lane.channel_id, lane.livemode)
      order by shard, account_id, channel_id, livemode limit 1) as next
  )
  select shard, account_id, channel_id, livemode from lane where shard = any($2::smallint[]) limit 100000`,
)

/** The lanes of these shards in which something waits. */
export async function discoverLanes(queries: Queries, shards: readonly number[]): Promise<LaneHint[]> {
  if (shards.length === 0) return []
  const rows = await queries.run<{ shard: number; account_id: Uuid; channel_id: Uuid; livemode: boolean }>(discover, [
    Math.min(...shards),
    shards,
  ])
  return rows.map((row) => ({ shard: row.shard, accountId: row.account_id, channelId: row.channel_id, livemode: row.livemode }))
}

type QueueRow = {
  account_id: Uuid
  channel_id: Uuid
  livemode: boolean
  message_id: Uuid
  contact_id: Uuid
  seq: number
  recipient: string
  expires_at: Date
  not_before: Date | null
}

const load = statement(
  'load_send_lanes',
  // By state and never by a cursor on `seq`: a lower one may commit later.
  `select queued.account_id, queued.channel_id, queued.livemode, message_id, contact_id, seq, recipient, expires_at, not_before
  from unnest($1::smallint[], $2::uuid[], $3::uuid[], $4::boolean[], $5::integer[]) as lane (shard, account_id, channel_id, livemode, depth)
  cross join lateral (
    select account_id, channel_id, livemode, message_id, contact_id, seq, recipient, expires_at, not_before from send_queue
    where send_queue.shard = lane.shard and send_queue.account_id = lane.account_id
      and send_queue.channel_id = lane.channel_id and send_queue.livemode = lane.livemode and state = 0
    order by seq
    limit lane.depth
  ) as queued`,
)

/** The first `depth` rows of each lane, in order. */
export async function loadLanes(
  queries: Queries,
  lanes: readonly (LaneHint & { depth: number })[],
): Promise<(QueuedSend & { channelId: Uuid; livemode: boolean })[]> {
  const rows = await queries.run<QueueRow>(load, [
    lanes.map((each) => each.shard),
    lanes.map((each) => each.accountId),
    lanes.map((each) => each.channelId),
    lanes.map((each) => each.livemode),
    lanes.map((each) => each.depth),
  ])
  return rows.map((row) => ({
    accountId: row.account_id,
    channelId: row.channel_id,
    livemode: row.livemode,
    messageId: row.message_id,
    contactId: row.contact_id,
    seq: row.seq,
    recipient: row.recipient,
    expiresAt: row.expires_at,
    notBefore: row.not_before,
  }))
}

const intend = statement(
  'write_send_intents',
  // The fence: only while this process still owns the shard (rule: queue 3). State 0 and the expiry are checked in the same
  // statement, so that of {sent, expired} exactly one happens.
  `with ${fence}, due as (
    select * from unnest($4::uuid[], $5::uuid[], $6::smallint[]) as due (account_id, message_id, shard))
  update send_queue set state = 1, attempt = send_queue.attempt + 1, epoch = fence.epoch, intent_at = $7
  from due join fence on fence.shard = due.shard
  where send_queue.account_id = due.account_id and send_queue.message_id = due.message_id
    and ${stateByKey} = 0 and expires_at > $7 and (not_before is null or not_before <= $7)
  returning send_queue.account_id, send_queue.message_id, send_queue.attempt, send_queue.request_id`,
)

/** An attempt that may begin, and the call that asked for its message. */
export type Intent = Attempt & { requestId: Uuid | null }

/** Writes down that these are about to be sent; answers those that may be. A statement of its own: it is committed when it returns. */
export async function writeIntents(
  queries: Queries,
  owner: FencedShard,
  due: readonly { accountId: Uuid; messageId: Uuid; shard: number }[],
  now: Date,
): Promise<Intent[]> {
  type Row = { account_id: Uuid; message_id: Uuid; attempt: number; request_id: Uuid | null }
  const rows = await queries.run<Row>(intend, [
    ...fenceValues(owner),
    due.map((each) => each.accountId),
    due.map((each) => each.messageId),
    due.map((each) => each.shard),
    now,
  ])
  return rows.map((row) => ({ ...attemptOf(row), requestId: row.request_id }))
}

const attemptOf = (row: { account_id: Uuid; message_id: Uuid; attempt: number }): Attempt => ({
  accountId: row.account_id,
  messageId: row.message_id,
  attempt: row.attempt,
})

const attemptArrays = (attempts: readonly Attempt[]) => [
  attempts.map((each) => each.accountId),
  attempts.map((each) => each.messageId),
  attempts.map((each) => each.attempt),
]

const finish = statement(
  'finish_sends',
  // From any process and whoever owns the shard now: what happened is a fact, told by message and attempt.
  `delete from send_queue using unnest($1::uuid[], $2::uuid[], $3::smallint[]) as done (account_id, message_id, attempt)
  where send_queue.account_id = done.account_id and send_queue.message_id = done.message_id
    and send_queue.attempt = done.attempt and ${stateByKey} in (1, 2)`,
)

/** Takes finished sends out of the queue. */
export async function finishSends(tx: Tx, attempts: readonly Attempt[]): Promise<void> {
  if (attempts.length > 0) await tx.run(finish, attemptArrays(attempts))
}

const requeue = statement(
  'requeue_sends',
  `update send_queue set state = 0, not_before = back.not_before
  from unnest($1::uuid[], $2::uuid[], $3::smallint[], $4::timestamptz[]) as back (account_id, message_id, attempt, not_before)
  where send_queue.account_id = back.account_id and send_queue.message_id = back.message_id
    and send_queue.attempt = back.attempt and ${stateByKey} in (1, 2)
  returning send_queue.account_id, send_queue.message_id`,
)

/** Puts sends back that upstream did not accept, and answers those that were still under this attempt. */
export async function requeueSends(
  tx: Tx,
  sends: readonly (Attempt & { notBefore: Date | null })[],
): Promise<{ accountId: Uuid; id: Uuid }[]> {
  if (sends.length === 0) return []
  const values = [...attemptArrays(sends), sends.map((each) => each.notBefore)]
  const rows = await tx.run<{ account_id: Uuid; message_id: Uuid }>(requeue, values)
  return rows.map((row) => ({ accountId: row.account_id, id: row.message_id }))
}

const withdraw = statement(
  'withdraw_send_intents',
  `update send_queue set state = 0
  from unnest($1::uuid[], $2::uuid[], $3::bigint[]) as mine (account_id, message_id, epoch)
  where send_queue.account_id = mine.account_id and send_queue.message_id = mine.message_id and send_queue.epoch = mine.epoch and ${stateByKey} = 1`,
)

/**
 * Takes intents back whose commit may or may not have happened, and after which surely nothing was posted. The epoch says
 * that the intent is ours: one of a later owner is left alone.
 */
export async function withdrawIntents(
  queries: Queries,
  sends: readonly { accountId: Uuid; messageId: Uuid; epoch: number }[],
): Promise<void> {
  await queries.run(withdraw, [sends.map((each) => each.accountId), sends.map((each) => each.messageId), sends.map((each) => each.epoch)])
}

const markUnknown = statement(
  'mark_sends_unknown',
  `update send_queue set state = 2
  from unnest($1::uuid[], $2::uuid[], $3::smallint[]) as lost (account_id, message_id, attempt)
  where send_queue.account_id = lost.account_id and send_queue.message_id = lost.message_id
    and send_queue.attempt = lost.attempt and ${stateByKey} = 1`,
)

export async function markSendsUnknown(tx: Tx, attempts: readonly Attempt[]): Promise<void> {
  if (attempts.length > 0) await tx.run(markUnknown, attemptArrays(attempts))
}

/** A send by its key. */
export type SendKey = { accountId: Uuid; messageId: Uuid }

const lowestUuid = '00000000-0000-0000-0000-000000000000'

const findQueued = statement(
  'find_queued_sends',
  `select account_id, message_id from send_queue
  where state = 0 and accepted_at <= $1 and (account_id, message_id) > ($2, $3)
  order by account_id, message_id
  limit $4`,
)

/** Up to `most` waiting sends that were accepted until then, after the key `after`, in the order of their keys. */
export async function findQueuedSends(
  queries: Queries,
  { acceptedUntil, after, most }: { acceptedUntil: Date; after: SendKey | null; most: number },
): Promise<SendKey[]> {
  const { accountId = lowestUuid, messageId = lowestUuid } = after ?? {}
  const rows = await queries.run<{ account_id: Uuid; message_id: Uuid }>(findQueued, [acceptedUntil, accountId, messageId, most])
  return rows.map((row) => ({ accountId: row.account_id, messageId: row.message_id }))
}

const hold = statement(
  'hold_queued_sends',
  `update send_queue set state = 2, attempt = send_queue.attempt + 1, intent_at = coalesce(intent_at, accepted_at)
  from unnest($1::uuid[], $2::uuid[]) as item (account_id, message_id)
  where send_queue.account_id = item.account_id and send_queue.message_id = item.message_id and ${stateByKey} = 0
  returning send_queue.account_id, send_queue.message_id, send_queue.attempt, send_queue.intent_at`,
)

/** Marks those of these sends that still wait as unknown, as if each had been tried once more, and returns them. */
export async function holdQueuedSends(tx: Tx, sends: readonly SendKey[]): Promise<(Attempt & { intentAt: Date })[]> {
  type Row = { account_id: Uuid; message_id: Uuid; attempt: number; intent_at: Date }
  const rows = await tx.run<Row>(hold, [sends.map((each) => each.accountId), sends.map((each) => each.messageId)])
  return rows.map((row) => ({ ...attemptOf(row), intentAt: row.intent_at }))
}

const findOrphans = statement(
  'find_orphaned_sends',
  // Intents of an earlier epoch: their owner died, or gave the shard away, with them in flight. And old ones of our own: no
  // call takes that long, so either its outcome is still to be recorded, which then corrects this, or nobody knows it.
  `select account_id, message_id, attempt, contact_id, channel_id, livemode, send_queue.shard, intent_at from send_queue
  join unnest($1::smallint[], $2::bigint[]) as mine (shard, epoch) on send_queue.shard = mine.shard
  where state = 1 and (send_queue.epoch < mine.epoch or intent_at < $4) and ($5::uuid[] is null or message_id = any($5))
  order by account_id, message_id
  limit $3`,
)

export type OrphanedSend = Attempt & LaneHint & { contactId: Uuid; intentAt: Date }

/** Intents that nobody will record an outcome of; `only`: among these messages. */
export async function findOrphanedSends(
  queries: Queries,
  shards: ReadonlyMap<number, number>,
  { oldBefore, most, only = null }: { oldBefore: Date; most: number; only?: readonly Uuid[] | null },
): Promise<OrphanedSend[]> {
  type Row = {
    account_id: Uuid
    message_id: Uuid
    attempt: number
    contact_id: Uuid
    channel_id: Uuid
    livemode: boolean
    shard: number
    intent_at: Date
  }
  const rows = await queries.run<Row>(findOrphans, [[...shards.keys()], [...shards.values()], most, oldBefore, only])
  return rows.map((row) => ({
    ...attemptOf(row),
    contactId: row.contact_id,
    channelId: row.channel_id,
    livemode: row.livemode,
    shard: row.shard,
    intentAt: row.intent_at,
  }))
}

const findOpen = statement(
  'find_open_sends',
  `select queued.message_id
  from unnest($1::uuid[], $2::uuid[]) as wanted (account_id, message_id)
  join send_queue queued on queued.account_id = wanted.account_id and queued.message_id = wanted.message_id
  where queued.state > 0`,
)

/** Which of these sends are in flight or of unknown outcome still. */
export async function findOpenSends(queries: Queries, wanted: readonly { accountId: Uuid; messageId: Uuid }[]): Promise<Set<Uuid>> {
  const rows = await queries.run<{ message_id: Uuid }>(findOpen, [
    wanted.map((each) => each.accountId),
    wanted.map((each) => each.messageId),
  ])
  return new Set(rows.map((row) => row.message_id))
}

const findLost = statement(
  'find_sends_that_stay_unknown',
  `select account_id, message_id, attempt from send_queue
  where shard = any($1::smallint[]) and state = 2 and expires_at <= $2
  order by account_id, message_id
  limit $3`,
)

/** Unknown outcomes whose time to be settled by a notice is over. */
export async function findLostSends(queries: Queries, shards: readonly number[], expiredBefore: Date, most: number): Promise<Attempt[]> {
  const rows = await queries.run<{ account_id: Uuid; message_id: Uuid; attempt: number }>(findLost, [shards, expiredBefore, most])
  return rows.map(attemptOf)
}

const dropExpired = statement(
  'drop_expired_sends',
  // State 0 in the same statement: a send whose intent was written meanwhile is not expired.
  `delete from send_queue using unnest($1::uuid[], $2::uuid[]) as late (account_id, message_id)
  where send_queue.account_id = late.account_id and send_queue.message_id = late.message_id and ${stateByKey} = 0 and expires_at <= $3
  returning send_queue.account_id, send_queue.message_id`,
)

/** Takes expired sends out of the queue and answers those that had not left. */
export async function dropExpiredSends(
  tx: Tx,
  sends: readonly { accountId: Uuid; messageId: Uuid }[],
  now: Date,
): Promise<{ accountId: Uuid; id: Uuid }[]> {
  const rows = await tx.run<{ account_id: Uuid; message_id: Uuid }>(dropExpired, [
    sends.map((each) => each.accountId),
    sends.map((each) => each.messageId),
    now,
  ])
  return rows.map((row) => ({ accountId: row.account_id, id: row.message_id }))
}

const dropWaiting = statement(
  'drop_waiting_sends',
  // State 0 in the same statement: a send whose intent was written meanwhile is not taken out.
  `delete from send_queue using unnest($1::uuid[], $2::uuid[]) as gone (account_id, message_id)
  where send_queue.account_id = gone.account_id and send_queue.message_id = gone.message_id and ${stateByKey} = 0
  returning send_queue.account_id, send_queue.message_id`,
)

/** Takes sends that will never leave out of the queue and answers those that had not left. */
export async function dropWaitingSends(
  tx: Tx,
  sends: readonly { accountId: Uuid; messageId: Uuid }[],
): Promise<{ accountId: Uuid; id: Uuid }[]> {
  const rows = await tx.run<{ account_id: Uuid; message_id: Uuid }>(dropWaiting, [
    sends.map((each) => each.accountId),
    sends.map((each) => each.messageId),
  ])
  return rows.map((row) => ({ accountId: row.account_id, id: row.message_id }))
}

const finishSettled = statement(
  'finish_settled_sends',
  `delete from send_queue using unnest($1::uuid[], $2::uuid[]) as settled (account_id, message_id)
  where send_queue.account_id = settled.account_id and send_queue.message_id = settled.message_id and ${stateByKey} = 2`,
)

/** Takes sends whose unknown outcome was settled out of the queue. */
export async function finishSettledSends(tx: Tx, ids: readonly { accountId: Uuid; id: Uuid }[]): Promise<void> {
  if (ids.length > 0) await tx.run(finishSettled, [ids.map((each) => each.accountId), ids.map((each) => each.id)])
}

const findIntentTimes = statement(
  'find_intent_times',
  `select wanted.id, max(started_at) as started_at
  from unnest($1::uuid[], $2::uuid[]) as wanted (account_id, id)
  join send_attempt on send_attempt.account_id = wanted.account_id and send_attempt.message_id = wanted.id
  group by wanted.id`,
)

/** When the last upstream call of each message began. */
export async function findIntentsOf(queries: Queries, ids: readonly { accountId: Uuid; id: Uuid }[]): Promise<Map<Uuid, Date>> {
  if (ids.length === 0) return new Map()
  const rows = await queries.run<{ id: Uuid; started_at: Date }>(findIntentTimes, [
    ids.map((each) => each.accountId),
    ids.map((each) => each.id),
  ])
  return new Map(rows.map((row) => [row.id, row.started_at]))
}

const findNeeds = statement(
  'find_what_sends_need',
  `select wanted.ord::integer as ord, message.kind, message.content, message.media_id, message.media, message.reply_to_wamid, quoted.wamid as quoted_wamid, quoted.status as quoted_status
  from unnest($1::uuid[], $2::uuid[]) with ordinality as wanted (account_id, id, ord)
  join message on message.account_id = wanted.account_id and message.id = wanted.id
  left join message quoted on quoted.account_id = message.account_id and quoted.id = message.reply_to`,
)

export type SendNeeds = {
  kind: string
  content: JsonText
  quotedWamid: Wamid | null
  /** A file of ours, with what the message shows of it: upstream must have it before the send leaves. */
  file: { mediaId: Uuid; shown: JsonText } | null
}

/** What these messages say upstream, in the order asked. A quoted message that failed or whose outcome is unknown has no wamid to quote: it is left out. */
export async function findSendNeeds(
  queries: Queries,
  wanted: readonly { accountId: Uuid; messageId: Uuid }[],
): Promise<(SendNeeds | null)[]> {
  type Row = {
    ord: number
    kind: string
    content: JsonText
    media_id: Uuid | null
    media: JsonText | null
    reply_to_wamid: Wamid | null
    quoted_wamid: Wamid | null
    quoted_status: MessageStatus | null
  }
  const rows = await queries.run<Row>(findNeeds, [wanted.map((each) => each.accountId), wanted.map((each) => each.messageId)])
  const found: (SendNeeds | null)[] = wanted.map(() => null)
  for (const row of rows) {
    const quotable = row.quoted_status !== 'failed' && row.quoted_status !== 'queued' ? row.quoted_wamid : null
    const file = row.media_id === null || row.media === null ? null : { mediaId: row.media_id, shown: row.media }
    found[row.ord - 1] = { kind: row.kind, content: row.content, quotedWamid: row.reply_to_wamid ?? quotable, file }
  }
  return found
}

const insertAttempts = statement(
  'insert_send_attempts',
  // What was taken for unknown at a takeover may become known after all.
  `insert into send_attempt (account_id, message_id, n, started_at, ms, outcome, status_code, code)
  select * from unnest($1::uuid[], $2::uuid[], $3::smallint[], $4::timestamptz[], $5::integer[], $6::text[], $7::smallint[], $8::integer[])
  on conflict (account_id, message_id, n) do update
    set ms = excluded.ms, outcome = excluded.outcome, status_code = excluded.status_code, code = excluded.code
    where send_attempt.outcome = 'unknown'`,
)

export type AttemptRecord = Attempt & { startedAt: Date; ms: number; outcome: string; statusCode: number | null; code: number | null }

/** The history of upstream calls; each attempt once. */
export async function recordAttempts(tx: Tx, records: readonly AttemptRecord[]): Promise<void> {
  await tx.run(insertAttempts, [
    ...attemptArrays(records),
    records.map((each) => each.startedAt),
    records.map((each) => each.ms),
    records.map((each) => each.outcome),
    records.map((each) => each.statusCode),
    records.map((each) => each.code),
  ])
}
