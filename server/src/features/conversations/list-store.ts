import { type RawBuilder, sql } from 'kysely'
import type { Uuid } from '../../base/id.ts'
import type { Queries } from '../../platform/database/database.ts'
import { queryBuilder, statement } from '../../platform/database/statement.ts'
import { type Lookup, lookingAt, pageInSteps, type SteppedPage, shownOrRefused, stepOf } from '../../platform/database/steps.ts'
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
export async function selectConversations(
  lookup: Lookup,
  filter: ConversationFilter,
  now: Date,
  most: number,
): Promise<SteppedPage<Conversation, ListPlace>> {
  const fits = fitting(filter, now)
  const numbered = sql<number>`row_number() over (order by last_at desc, id desc)`.as('n')
  const page = await pageInSteps<Conversation, ListPlace>(lookup, { from: filter.after, limit: most }, async ({ from, limit, rows }) => {
    const looking = lookingAt(fits, rows)
    const window = inOrder({ ...filter, after: from })
      .select([...conversationColumns, numbered])
      .limit(rows)
      .as('conversation')
    const query = build.selectFrom(window).selectAll().select(looking.columns).where(looking.where)
    const looked = await lookup.all(query.orderBy('last_at', 'desc').orderBy('id', 'desc').limit(limit))
    const { found, next } = stepOf(looked, limit, (row): ListPlace => ({ lastAt: row.last_at, id: row.id }))
    return { found: found.map(conversationOf), next }
  })
  return shownOrRefused(page)
}

/** By the index that holds the fewest. */
function inOrder({ accountId, livemode, state, assignee, label, after }: ConversationFilter) {
  let ordered = build.selectFrom('conversation').where('account_id', '=', accountId).where('livemode', '=', livemode)
  // Literals, because a partial index is only found by them.
  if (state === 'open' || state === 'snoozed') ordered = ordered.where(sql<boolean>`state = 'open'`)
  if (assignee !== null && assignee !== 'none') ordered = ordered.where('assignee', '=', assignee)
  if (label !== null) ordered = ordered.where(sql<boolean>`labels <> '{}'`)
  if (after !== null) ordered = ordered.where(sql<boolean>`(last_at, id) < (${after.lastAt}::timestamptz, ${after.id}::uuid)`)
  return ordered.orderBy('last_at', 'desc').orderBy('id', 'desc')
}

/** What no index is in the order of. */
function fitting({ state, assignee, channelId, label, isUnread }: ConversationFilter, now: Date): RawBuilder<boolean> {
  const conditions = [sql`true`]
  if (state === 'closed') conditions.push(sql`state = 'closed'`)
  if (state === 'open') conditions.push(sql`(snoozed_until is null or snoozed_until <= ${now}::timestamptz)`)
  if (state === 'snoozed') conditions.push(sql`snoozed_until > ${now}::timestamptz`)
  if (assignee === 'none') conditions.push(sql`assignee is null`)
  if (channelId !== null) conditions.push(sql`channel_id = ${channelId}::uuid`)
  if (label !== null) conditions.push(sql`${label}::text = any(labels)`)
  if (isUnread) conditions.push(sql`unread > 0`)
  return sql<boolean>`(${sql.join(conditions, sql` and `)})`
}

const count = statement(
  'count_conversations',
  // Each as far as it is worth knowing, among the newest 5,000: a filter that fits few must not read all of them.
  `with newest as (
    select assignee, unread, snoozed_until from conversation
    where account_id = $1 and livemode = $2 and state = 'open'
    order by last_at desc, id desc
    limit 5000
  ), open as (select assignee, unread from newest where snoozed_until is null or snoozed_until <= $3)
  select least(count(*), $5)::integer as open,
    least(count(*) filter (where assignee = $4), $5)::integer as mine,
    least(count(*) filter (where assignee is null), $5)::integer as unassigned,
    least(count(*) filter (where unread > 0), $5)::integer as unread
  from open`,
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
