import { momentOf, type Uuid } from '../../base/id.ts'
import type { JsonText } from '../../base/json.ts'
import type { Queries, Tx } from '../../platform/database/database.ts'
import { queryBuilder, statement } from '../../platform/database/statement.ts'
import type { Message, MessageSource, MessageStatus, MessageType, Wamid } from './message.ts'

/** A row of `message` as the driver gives it. */
export type MessageRow = {
  account_id: Uuid
  id: Uuid
  livemode: boolean
  channel_id: Uuid
  contact_id: Uuid
  direction: 'inbound' | 'outbound'
  type: MessageType
  kind: string
  status: MessageStatus
  text: string | null
  media: JsonText | null
  media_id: Uuid | null
  reply_to: Uuid | null
  button_reply_id: string | null
  client_reference: string | null
  source: MessageSource
  wamid: Wamid | null
  pricing_category: string | null
  pricing_billable: boolean | null
  error_code: number | null
  error_message: string | null
  outcome_unknown: boolean
  sent_at: Date | null
  delivered_at: Date | null
  read_at: Date | null
  failed_at: Date | null
  untold: boolean
  edited_at: Date | null
  deleted_at: Date | null
  meta: JsonText | null
}

export const messageColumns = [
  'account_id',
  'id',
  'livemode',
  'channel_id',
  'contact_id',
  'direction',
  'type',
  'kind',
  'status',
  'text',
  'media',
  'media_id',
  'reply_to',
  'button_reply_id',
  'client_reference',
  'source',
  'wamid',
  'pricing_category',
  'pricing_billable',
  'error_code',
  'error_message',
  'outcome_unknown',
  'sent_at',
  'delivered_at',
  'read_at',
  'failed_at',
  'untold',
  'edited_at',
  'deleted_at',
  'meta',
] as const

export function messageOf(row: MessageRow): Message {
  const priced = row.pricing_category !== null || row.pricing_billable !== null
  return {
    accountId: row.account_id,
    id: row.id,
    livemode: row.livemode,
    channelId: row.channel_id,
    contactId: row.contact_id,
    direction: row.direction,
    type: row.type,
    kind: row.kind,
    status: row.status,
    text: row.text,
    media: row.media,
    mediaId: row.media_id,
    replyTo: row.reply_to,
    buttonReplyId: row.button_reply_id,
    clientReference: row.client_reference,
    source: row.source,
    wamid: row.wamid,
    pricing: priced ? { category: row.pricing_category, billable: row.pricing_billable } : null,
    error: row.error_message === null ? null : { code: row.error_code, message: row.error_message },
    outcomeUnknown: row.outcome_unknown,
    createdAt: momentOf(row.id),
    sentAt: row.sent_at,
    deliveredAt: row.delivered_at,
    readAt: row.read_at,
    failedAt: row.failed_at,
    untold: row.untold,
    editedAt: row.edited_at,
    deletedAt: row.deleted_at,
    meta: row.meta,
  }
}

type Tables = { message: MessageRow }
const build = queryBuilder<Tables>()

export async function findMessage(queries: Queries, accountId: Uuid, livemode: boolean, id: Uuid): Promise<Message | null> {
  const rows = await queries.all(
    build
      .selectFrom('message')
      .select(messageColumns)
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .where('livemode', '=', livemode),
  )
  return rows[0] === undefined ? null : messageOf(rows[0])
}

const selectReferred = statement(
  'find_referred_media',
  `select wanted.media_id
  from unnest($1::uuid[], $2::uuid[]) as wanted (account_id, media_id)
  where exists (select from message where message.account_id = wanted.account_id and message.media_id = wanted.media_id)`,
)

/** Which of these files a message of their account has. */
export async function findReferredMedia(queries: Queries, files: readonly { accountId: Uuid; mediaId: Uuid }[]): Promise<Set<Uuid>> {
  const rows = await queries.run<{ media_id: Uuid }>(selectReferred, [
    files.map((each) => each.accountId),
    files.map((each) => each.mediaId),
  ])
  return new Set(rows.map((row) => row.media_id))
}

const lock = statement(
  'lock_messages',
  // Ordered, so that two transactions over the same messages never wait for each other in a ring.
  `select ${messageColumns.map((column) => `message.${column}`).join(', ')}
  from unnest($1::uuid[], $2::uuid[]) as wanted (account_id, id)
  join message on message.account_id = wanted.account_id and message.id = wanted.id
  order by message.account_id, message.id
  for update of message`,
)

/** Reads messages and locks them until commit. Those that are not there are left out; each id at most once. */
export async function lockMessages(tx: Tx, ids: readonly { accountId: Uuid; id: Uuid }[]): Promise<Message[]> {
  const rows = await tx.run<MessageRow>(lock, [ids.map((each) => each.accountId), ids.map((each) => each.id)])
  return rows.map(messageOf)
}

const update = statement(
  'update_moved_messages',
  // Only what a move can change; none of it is indexed, so that the update stays on its page.
  `update message set
    status = moved.status, wamid = moved.wamid, pricing_category = moved.pricing_category, pricing_billable = moved.pricing_billable,
    error_code = moved.error_code, error_message = moved.error_message, outcome_unknown = moved.outcome_unknown,
    sent_at = moved.sent_at, delivered_at = moved.delivered_at, read_at = moved.read_at, failed_at = moved.failed_at
  from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::boolean[], $7::integer[], $8::text[], $9::boolean[],
    $10::timestamptz[], $11::timestamptz[], $12::timestamptz[], $13::timestamptz[])
    as moved (account_id, id, status, wamid, pricing_category, pricing_billable, error_code, error_message, outcome_unknown,
      sent_at, delivered_at, read_at, failed_at)
  where message.account_id = moved.account_id and message.id = moved.id`,
)

/** Writes messages that this transaction has locked. */
export async function updateMoved(tx: Tx, messages: readonly Message[]): Promise<void> {
  await tx.run(update, [
    messages.map((each) => each.accountId),
    messages.map((each) => each.id),
    messages.map((each) => each.status),
    messages.map((each) => each.wamid),
    messages.map((each) => each.pricing?.category ?? null),
    messages.map((each) => each.pricing?.billable ?? null),
    messages.map((each) => each.error?.code ?? null),
    messages.map((each) => each.error?.message ?? null),
    messages.map((each) => each.outcomeUnknown),
    messages.map((each) => each.sentAt),
    messages.map((each) => each.deliveredAt),
    messages.map((each) => each.readAt),
    messages.map((each) => each.failedAt),
  ])
}

const insertWamids = statement(
  'insert_wamids',
  // Parked statuses of these messages are known from now on; nobody else marks them, because nobody else has the wamid.
  `with free as (
    insert into message_wamid (account_id, channel_id, wamid, message_id)
    select account_id, channel_id, wamid, message_id
    from unnest($1::uuid[], $2::uuid[], $3::text[], $4::uuid[]) as named (account_id, channel_id, wamid, message_id)
    order by account_id, channel_id, wamid
    on conflict do nothing
    returning account_id, channel_id, wamid, message_id
  ), known as (
    update parked_status set is_known = true from free
    where parked_status.account_id = free.account_id and parked_status.channel_id = free.channel_id and parked_status.wamid = free.wamid
  )
  select channel_id, wamid, message_id from free`,
)

export type WamidOf = { accountId: Uuid; channelId: Uuid; wamid: Wamid; messageId: Uuid }

/** Lets wamids lead to messages, and answers those that were free. Statuses that were parked for these are taken up soon. */
export function insertFreeWamids(
  tx: Tx,
  named: readonly WamidOf[],
): Promise<readonly { channel_id: Uuid; wamid: Wamid; message_id: Uuid }[]> {
  return tx.run(insertWamids, [
    named.map((each) => each.accountId),
    named.map((each) => each.channelId),
    named.map((each) => each.wamid),
    named.map((each) => each.messageId),
  ])
}

/** Gives wamids to messages and answers the ids of those whose wamid was free: the same message from upstream twice has one row. */
export async function claimWamids(tx: Tx, named: readonly WamidOf[]): Promise<Set<Uuid>> {
  return new Set((await insertFreeWamids(tx, named)).map((row) => row.message_id))
}

const findWamids = statement(
  'find_wamids',
  `select wanted.ord::integer as ord, known.message_id
  from unnest($1::uuid[], $2::uuid[], $3::text[]) with ordinality as wanted (account_id, channel_id, wamid, ord)
  join message_wamid known on known.account_id = wanted.account_id and known.channel_id = wanted.channel_id and known.wamid = wanted.wamid`,
)

/** The message behind each wamid, in the order asked; null for one that we do not know. */
export async function findByWamid(
  queries: Queries,
  wanted: readonly { accountId: Uuid; channelId: Uuid; wamid: string }[],
): Promise<(Uuid | null)[]> {
  const found: (Uuid | null)[] = wanted.map(() => null)
  if (wanted.length === 0) return found
  const rows = await queries.run<{ ord: number; message_id: Uuid }>(findWamids, [
    wanted.map((each) => each.accountId),
    wanted.map((each) => each.channelId),
    wanted.map((each) => each.wamid),
  ])
  for (const row of rows) found[row.ord - 1] = row.message_id
  return found
}

const findChannels = statement(
  'find_channels_of_messages',
  `select message.id, message.channel_id, message.livemode
  from unnest($1::uuid[], $2::uuid[]) as wanted (account_id, id)
  join message on message.account_id = wanted.account_id and message.id = wanted.id
  where message.direction = 'outbound'`,
)

/** From which number, in which mode, each of these outbound messages goes; those that are not there are left out. */
export async function findChannelsOf(
  queries: Queries,
  wanted: readonly { accountId: Uuid; id: Uuid }[],
): Promise<Map<Uuid, { channelId: Uuid; livemode: boolean }>> {
  if (wanted.length === 0) return new Map()
  const rows = await queries.run<{ id: Uuid; channel_id: Uuid; livemode: boolean }>(findChannels, [
    wanted.map((each) => each.accountId),
    wanted.map((each) => each.id),
  ])
  return new Map(rows.map((row) => [row.id, { channelId: row.channel_id, livemode: row.livemode }]))
}
