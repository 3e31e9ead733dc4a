import { sql } from 'kysely'
import type { Uuid } from '../../base/id.ts'
import type { Queries } from '../../platform/database/database.ts'
import { queryBuilder, statement } from '../../platform/database/statement.ts'
import type { Conversation, ListPlace } from './conversation.ts'
import { type ConversationRow, conversationColumns, conversationOf } from './store.ts'

export type ConversationFilter = {
  accountId: Uuid
  livemode: boolean
  state: 'open' | 'closed' | 'snoozed' | 'all'
  /** `none`: of nobody; null: whoever has it. */
  assignee: Uuid | 'none' | null
  channelId: Uuid | null
  label: string | null
  isUnread: boolean
  after: ListPlace | null
}

const build = queryBuilder<{ conversation: ConversationRow }>()

/**
 * Those with the newest messages first, at most `most`. Served by `conversation_open`, `conversation_assigned`, `conversation_labelled` or
 * `conversation_list`, each in this order.
 */
export async function selectConversations(queries: Queries, filter: ConversationFilter, now: Date, most: number): Promise<Conversation[]> {
  const { accountId, livemode, state, assignee, channelId, label, isUnread, after } = filter
  let query = build
    .selectFrom('conversation')
    .select(conversationColumns)
    .where('account_id', '=', accountId)
    .where('livemode', '=', livemode)
  // Literals, because a partial index is only found by them.
  if (state === 'closed') query = query.where('state', '=', 'closed')
  if (state === 'open') query = query.where(sql<boolean>`state = 'open' and (snoozed_until is null or snoozed_until <= ${now})`)
  if (state === 'snoozed') query = query.where(sql<boolean>`state = 'open' and snoozed_until > ${now}`)
  if (assignee === 'none') query = query.where('assignee', 'is', null)
  else if (assignee !== null) query = query.where('assignee', '=', assignee)
  if (channelId !== null) query = query.where('channel_id', '=', channelId)
  if (label !== null) query = query.where(sql<boolean>`labels <> '{}' and ${label} = any(labels)`)
  if (isUnread) query = query.where('unread', '>', 0)
  if (after !== null) query = query.where(sql<boolean>`(last_at, id) < (${after.lastAt}::timestamptz, ${after.id}::uuid)`)
  return (await queries.all(query.orderBy('last_at', 'desc').orderBy('id', 'desc').limit(most))).map(conversationOf)
}

const count = statement(
  'count_conversations',
  // Each as far as it is worth knowing.
  `select
    (select count(*)::integer from (select from conversation where account_id = $1 and livemode = $2 and state = 'open'
      and (snoozed_until is null or snoozed_until <= $3) limit $5) as counted) as open,
    (select count(*)::integer from (select from conversation where account_id = $1 and livemode = $2 and assignee = $4 and state = 'open'
      and (snoozed_until is null or snoozed_until <= $3) limit $5) as counted) as mine,
    (select count(*)::integer from (select from conversation where account_id = $1 and livemode = $2 and state = 'open' and assignee is null
      and (snoozed_until is null or snoozed_until <= $3) limit $5) as counted) as unassigned,
    (select count(*)::integer from (select from conversation where account_id = $1 and livemode = $2 and state = 'open' and unread > 0
      and (snoozed_until is null or snoozed_until <= $3) limit $5) as counted) as unread`,
)

export type Counts = { open: number; mine: number; unassigned: number; unread: number }

/** How many open conversations there are of each kind, each counted up to `most`. */
export async function selectCounts(
  queries: Queries,
  { accountId, livemode, userId }: { accountId: Uuid; livemode: boolean; userId: Uuid },
  now: Date,
  most: number,
): Promise<Counts> {
  const [row] = await queries.run<Counts>(count, [accountId, livemode, now, userId, most])
  return row ?? { open: 0, mine: 0, unassigned: 0, unread: 0 }
}

const countLabels = statement(
  'count_labels',
  `select label, count(*)::integer as amount
  from (
    select labels from conversation where account_id = $1 and livemode = $2 and labels <> '{}' order by last_at desc, id desc limit 5000
  ) as labelled, unnest(labelled.labels) as label
  group by label
  order by amount desc, label
  limit 200`,
)

/** The labels of the newest 5,000 conversations that have any, the most used first. */
export async function selectLabels(
  queries: Queries,
  of: { accountId: Uuid; livemode: boolean },
): Promise<{ label: string; amount: number }[]> {
  return queries.run(countLabels, [of.accountId, of.livemode])
}
