import type { Uuid } from '../../base/id.ts'
import type { Queries, Tx } from '../../platform/database/database.ts'
import { statement } from '../../platform/database/statement.ts'
import type { Conversation, ConversationState } from './conversation.ts'

export type ConversationRow = {
  account_id: Uuid
  id: Uuid
  livemode: boolean
  channel_id: Uuid
  contact_id: Uuid
  last_message_id: Uuid | null
  last_at: Date
  last_inbound_at: Date | null
  unread: number
  read_to: Uuid | null
  state: ConversationState
  snoozed_until: Date | null
  assignee: Uuid | null
  labels: string[]
}

export const conversationColumns = [
  'account_id',
  'id',
  'livemode',
  'channel_id',
  'contact_id',
  'last_message_id',
  'last_at',
  'last_inbound_at',
  'unread',
  'read_to',
  'state',
  'snoozed_until',
  'assignee',
  'labels',
] as const

const columns = conversationColumns.map((column) => `conversation.${column}`).join(', ')

export function conversationOf(row: ConversationRow): Conversation {
  return {
    accountId: row.account_id,
    id: row.id,
    livemode: row.livemode,
    channelId: row.channel_id,
    contactId: row.contact_id,
    lastMessageId: row.last_message_id,
    lastAt: row.last_at,
    lastInboundAt: row.last_inbound_at,
    unread: row.unread,
    readTo: row.read_to,
    state: row.state,
    snoozedUntil: row.snoozed_until,
    assignee: row.assignee,
    labels: row.labels,
  }
}

const lockBetween = statement(
  'lock_conversations_between',
  // Ordered, so that whoever else locks several of them never waits in a ring.
  `select ${columns}
  from unnest($1::uuid[], $2::uuid[], $3::uuid[]) as wanted (account_id, channel_id, contact_id)
  join conversation on conversation.account_id = wanted.account_id and conversation.channel_id = wanted.channel_id
    and conversation.contact_id = wanted.contact_id
  order by conversation.account_id, conversation.id
  for update of conversation`,
)

/** Where a conversation is: between a number and a person. */
export type Between = { accountId: Uuid; channelId: Uuid; contactId: Uuid }

/** Reads conversations and locks them until commit; those that are not there are left out. Each at most once in the list. */
export async function lockConversationsBetween(tx: Tx, wanted: readonly Between[]): Promise<Conversation[]> {
  if (wanted.length === 0) return []
  const rows = await tx.run<ConversationRow>(lockBetween, [
    wanted.map((each) => each.accountId),
    wanted.map((each) => each.channelId),
    wanted.map((each) => each.contactId),
  ])
  return rows.map(conversationOf)
}

const insert = statement(
  'insert_conversations',
  `insert into conversation (account_id, id, livemode, channel_id, contact_id, last_message_id, last_at, last_inbound_at, unread, read_to, state)
  select account_id, id, livemode, channel_id, contact_id, last_message_id, last_at, last_inbound_at, unread, read_to, state
  from unnest($1::uuid[], $2::uuid[], $3::boolean[], $4::uuid[], $5::uuid[], $6::uuid[], $7::timestamptz[], $8::timestamptz[], $9::smallint[],
    $10::uuid[], $11::text[])
    as fresh (account_id, id, livemode, channel_id, contact_id, last_message_id, last_at, last_inbound_at, unread, read_to, state)
  on conflict (account_id, channel_id, contact_id) do nothing
  returning id`,
)

/** Writes new conversations and answers the ids of those that nobody else has made meanwhile. Neither assigned nor labelled. */
export async function insertConversations(tx: Tx, fresh: readonly Conversation[]): Promise<Set<Uuid>> {
  if (fresh.length === 0) return new Set()
  const rows = await tx.run<{ id: Uuid }>(insert, [
    fresh.map((each) => each.accountId),
    fresh.map((each) => each.id),
    fresh.map((each) => each.livemode),
    fresh.map((each) => each.channelId),
    fresh.map((each) => each.contactId),
    ...courseOf(fresh),
    fresh.map((each) => each.state),
  ])
  return new Set(rows.map((row) => row.id))
}

const courseOf = (all: readonly Conversation[]) => [
  all.map((each) => each.lastMessageId),
  all.map((each) => each.lastAt),
  all.map((each) => each.lastInboundAt),
  all.map((each) => each.unread),
  all.map((each) => each.readTo),
]

const update = statement(
  'update_folded_conversations',
  `update conversation set
    last_message_id = folded.last_message_id, last_at = folded.last_at, last_inbound_at = folded.last_inbound_at, unread = folded.unread,
    read_to = folded.read_to, state = folded.state, snoozed_until = folded.snoozed_until
  from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::timestamptz[], $5::timestamptz[], $6::smallint[], $7::uuid[], $8::text[], $9::timestamptz[])
    as folded (account_id, id, last_message_id, last_at, last_inbound_at, unread, read_to, state, snoozed_until)
  where conversation.account_id = folded.account_id and conversation.id = folded.id`,
)

/** Writes what messages do to conversations that this transaction has locked. */
export async function updateFolded(tx: Tx, folded: readonly Conversation[]): Promise<void> {
  if (folded.length === 0) return
  await tx.run(update, [
    folded.map((each) => each.accountId),
    folded.map((each) => each.id),
    ...courseOf(folded),
    folded.map((each) => each.state),
    folded.map((each) => each.snoozedUntil),
  ])
}

const remove = statement('delete_joined_conversations', 'delete from conversation where account_id = $1 and id = any($2::uuid[])')
const moveNotes = statement(
  'move_notes_of_joined_conversations',
  'update conversation_note set conversation_id = $3 where account_id = $1 and conversation_id = any($2::uuid[])',
)
const updateTeams = statement(
  'update_conversation',
  `update conversation set contact_id = $3, unread = $4, read_to = $5, state = $6, snoozed_until = $7, assignee = $8, labels = $9
  where account_id = $1 and id = $2`,
)

/** Writes what the team decides of a conversation that this transaction has locked. */
export async function updateConversation(tx: Tx, each: Conversation): Promise<void> {
  await tx.run(updateTeams, [
    each.accountId,
    each.id,
    each.contactId,
    each.unread,
    each.readTo,
    each.state,
    each.snoozedUntil,
    each.assignee,
    each.labels,
  ])
}

/** Lets one conversation take the place of others, whose notes it gets. All are locked. */
export async function writeJoined(tx: Tx, kept: Conversation, gone: readonly Uuid[]): Promise<void> {
  await tx.run(moveNotes, [kept.accountId, gone, kept.id])
  await tx.run(remove, [kept.accountId, gone])
  await updateConversation(tx, kept)
}

const find = statement('find_conversation', `select ${columns} from conversation where account_id = $1 and id = $2 and livemode = $3`)
const lock = statement(
  'lock_conversation',
  `select ${columns} from conversation where account_id = $1 and id = $2 and livemode = $3 for update`,
)

/** A conversation by its id and mode. */
export type ConversationKey = { accountId: Uuid; livemode: boolean; id: Uuid }

export async function findConversation(queries: Queries, { accountId, id, livemode }: ConversationKey): Promise<Conversation | null> {
  const [row] = await queries.run<ConversationRow>(find, [accountId, id, livemode])
  return row === undefined ? null : conversationOf(row)
}

/** Reads a conversation and locks it until commit. */
export async function lockConversation(tx: Tx, { accountId, id, livemode }: ConversationKey): Promise<Conversation | null> {
  const [row] = await tx.run<ConversationRow>(lock, [accountId, id, livemode])
  return row === undefined ? null : conversationOf(row)
}

const findBetween = statement(
  'find_conversations_between',
  `select wanted.ord::integer as ord, ${columns}
  from unnest($1::uuid[], $2::uuid[], $3::uuid[]) with ordinality as wanted (account_id, channel_id, contact_id, ord)
  join conversation on conversation.account_id = wanted.account_id and conversation.channel_id = wanted.channel_id
    and conversation.contact_id = wanted.contact_id`,
)

/** The conversation between each number and person, in the order asked; null: there is none. */
export async function findConversationsBetween(queries: Queries, wanted: readonly Between[]): Promise<(Conversation | null)[]> {
  const found: (Conversation | null)[] = wanted.map(() => null)
  if (wanted.length === 0) return found
  const rows = await queries.run<ConversationRow & { ord: number }>(findBetween, [
    wanted.map((each) => each.accountId),
    wanted.map((each) => each.channelId),
    wanted.map((each) => each.contactId),
  ])
  for (const row of rows) found[row.ord - 1] = conversationOf(row)
  return found
}

const unassign = statement(
  'unassign_conversations',
  // Ordered, as everybody who locks several of them. Served by `conversation_assigned`.
  `with freed as (
    select account_id, id from conversation
    where account_id = $1 and livemode in (true, false) and assignee = $2
    order by account_id, id
    limit $3
    for update
  )
  update conversation set assignee = null from freed
  where conversation.account_id = freed.account_id and conversation.id = freed.id
  returning conversation.id, conversation.livemode`,
)

/** Takes conversations of both modes from whom they are assigned to, at most `most`. Returns them. */
export async function unassignSome(
  tx: Tx,
  { accountId, userId }: { accountId: Uuid; userId: Uuid },
  most: number,
): Promise<{ id: Uuid; livemode: boolean }[]> {
  return tx.run(unassign, [accountId, userId, most])
}
