import type { Uuid } from '../../base/id.ts'
import type { Tx } from '../../platform/database/database.ts'
import { statement } from '../../platform/database/statement.ts'
import type { Message, Reaction } from './message.ts'
import { insertFreeWamids, type WamidOf } from './store.ts'

const insert = statement(
  'insert_inbound_messages',
  `insert into message (account_id, id, livemode, channel_id, contact_id, direction, type, kind, status, text, reply_to, button_reply_id, source,
    wamid, meta, error_message, sent_at, untold, edited_at, deleted_at)
  select account_id, id, livemode, channel_id, contact_id, direction, type, kind, status, text, reply_to, button_reply_id, 'chat',
    wamid, meta, error_message, sent_at, untold, edited_at, deleted_at
  from unnest($1::uuid[], $2::uuid[], $3::boolean[], $4::uuid[], $5::uuid[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[],
    $11::uuid[], $12::text[], $13::text[], $14::json[], $15::text[], $16::timestamptz[], $17::boolean[], $18::timestamptz[], $19::timestamptz[])
    as inbound (account_id, id, livemode, channel_id, contact_id, direction, type, kind, status, text,
      reply_to, button_reply_id, wamid, meta, error_message, sent_at, untold, edited_at, deleted_at)`,
)

/** Writes messages that came by notices; their wamids are claimed before. */
export async function insertInboundMessages(tx: Tx, messages: readonly Message[]): Promise<void> {
  if (messages.length === 0) return
  await tx.run(insert, [
    messages.map((each) => each.accountId),
    messages.map((each) => each.id),
    messages.map((each) => each.livemode),
    messages.map((each) => each.channelId),
    messages.map((each) => each.contactId),
    messages.map((each) => each.direction),
    messages.map((each) => each.type),
    messages.map((each) => each.kind),
    messages.map((each) => each.status),
    messages.map((each) => each.text),
    messages.map((each) => each.replyTo),
    messages.map((each) => each.buttonReplyId),
    messages.map((each) => each.wamid),
    messages.map((each) => each.meta),
    messages.map((each) => each.error?.message ?? null),
    messages.map((each) => each.sentAt),
    messages.map((each) => each.untold),
    messages.map((each) => each.editedAt),
    messages.map((each) => each.deletedAt),
  ])
}

const update = statement(
  'update_changed_messages',
  // What was sent leaves with the words that it showed.
  `update message set
    contact_id = changed.contact_id, direction = changed.direction, type = changed.type, kind = changed.kind, status = changed.status,
    text = changed.text, media = changed.media, media_id = changed.media_id, reply_to = changed.reply_to,
    button_reply_id = changed.button_reply_id, meta = changed.meta, error_message = changed.error_message, sent_at = changed.sent_at,
    untold = changed.untold, edited_at = changed.edited_at, deleted_at = changed.deleted_at,
    content = case when changed.deleted_at is null then message.content end
  from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::json[], $10::uuid[],
    $11::uuid[], $12::text[], $13::json[], $14::text[], $15::timestamptz[], $16::boolean[], $17::timestamptz[], $18::timestamptz[])
    as changed (account_id, id, contact_id, direction, type, kind, status, text, media, media_id,
      reply_to, button_reply_id, meta, error_message, sent_at, untold, edited_at, deleted_at)
  where message.account_id = changed.account_id and message.id = changed.id`,
)

/** Writes messages that this transaction has locked: what a notice can change of them beside their status. */
export async function updateChanged(tx: Tx, messages: readonly Message[]): Promise<void> {
  if (messages.length === 0) return
  await tx.run(update, [
    messages.map((each) => each.accountId),
    messages.map((each) => each.id),
    messages.map((each) => each.contactId),
    messages.map((each) => each.direction),
    messages.map((each) => each.type),
    messages.map((each) => each.kind),
    messages.map((each) => each.status),
    messages.map((each) => each.text),
    messages.map((each) => each.media),
    messages.map((each) => each.mediaId),
    messages.map((each) => each.replyTo),
    messages.map((each) => each.buttonReplyId),
    messages.map((each) => each.meta),
    messages.map((each) => each.error?.message ?? null),
    messages.map((each) => each.sentAt),
    messages.map((each) => each.untold),
    messages.map((each) => each.editedAt),
    messages.map((each) => each.deletedAt),
  ])
}

/**
 * rule: receive 2. The acts that are seen for the first time, each once. Their own ids lead to the message from then on, as a quotation of an
 * edited message may name either.
 */
export async function claimActs<Act extends WamidOf>(tx: Tx, acts: readonly Act[]): Promise<Act[]> {
  const placeOf = (each: Pick<WamidOf, 'channelId' | 'wamid'>) => `${each.channelId} ${each.wamid}`
  const once = new Map([...acts].reverse().map((each) => [placeOf(each), each]))
  const rows = await insertFreeWamids(tx, acts)
  const fresh = new Set(rows.map((row) => placeOf({ channelId: row.channel_id, wamid: row.wamid })))
  return acts.filter((each) => fresh.has(placeOf(each)) && once.get(placeOf(each)) === each)
}

const findReactions = statement(
  'find_reactions',
  `select reaction.message_id, reaction.contact_id, reaction.emoji, reaction.reacted_at
  from unnest($1::uuid[], $2::uuid[], $3::uuid[]) as wanted (account_id, message_id, contact_id)
  join message_reaction reaction on reaction.account_id = wanted.account_id and reaction.message_id = wanted.message_id
    and reaction.contact_id = wanted.contact_id`,
)

export type ReactionTo = Reaction & { accountId: Uuid; messageId: Uuid }

/** What these people think of these messages, as far as it is known; the messages are locked. */
export async function findReactionsTo(
  tx: Tx,
  wanted: readonly Pick<ReactionTo, 'accountId' | 'messageId' | 'contactId'>[],
): Promise<Omit<ReactionTo, 'accountId'>[]> {
  const rows = await tx.run<{ message_id: Uuid; contact_id: Uuid; emoji: string; reacted_at: Date }>(findReactions, [
    wanted.map((each) => each.accountId),
    wanted.map((each) => each.messageId),
    wanted.map((each) => each.contactId),
  ])
  return rows.map((row) => ({ messageId: row.message_id, contactId: row.contact_id, emoji: row.emoji, at: row.reacted_at }))
}

const upsertReactions = statement(
  'upsert_reactions',
  `insert into message_reaction (account_id, message_id, contact_id, emoji, reacted_at)
  select account_id, message_id, contact_id, emoji, reacted_at
  from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::timestamptz[]) as told (account_id, message_id, contact_id, emoji, reacted_at)
  order by account_id, message_id, contact_id
  on conflict (account_id, message_id, contact_id) do update set emoji = excluded.emoji, reacted_at = excluded.reacted_at`,
)

/** Each person and message at most once in the list; the messages are locked. */
export async function writeReactions(tx: Tx, reactions: readonly ReactionTo[]): Promise<void> {
  if (reactions.length === 0) return
  await tx.run(upsertReactions, [
    reactions.map((each) => each.accountId),
    reactions.map((each) => each.messageId),
    reactions.map((each) => each.contactId),
    reactions.map((each) => each.emoji),
    reactions.map((each) => each.at),
  ])
}
