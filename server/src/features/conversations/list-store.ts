import { sql } from 'kysely'
import type { Uuid } from '../../base/id.ts'
import type { Queries } from '../../platform/database/database.ts'
import { queryBuilder, statement } from '../../platform/database/statement.ts'
import { pageInSteps } from '../../platform/database/steps.ts'
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
  return pageInSteps(after, most, async ({ from, limit, rows }) => {
    let ordered = build.selectFrom('conversation').where('account_id', '=', accountId).where('livemode', '=', livemode)
    // Literals, because a partial index is only found by them.
    if (state === 'open' || state === 'snoozed') ordered = ordered.where(sql<boolean>`state = 'open'`)
    if (assignee !== null && assignee !== 'none') ordered = ordered.where('assignee', '=', assignee)
    if (label !== null) ordered = ordered.where(sql<boolean>`labels <> '{}'`)
    if (from !== null) ordered = ordered.where(sql<boolean>`(last_at, id) < (${from.lastAt}::timestamptz, ${from.id}::uuid)`)
    ordered = ordered.orderBy('last_at', 'desc').orderBy('id', 'desc')
    let fitting = build.selectFrom(ordered.select(conversationColumns).limit(rows).as('conversation')).selectAll()
    if (state === 'closed') fitting = fitting.where('state', '=', 'closed')
    if (state === 'open') fitting = fitting.where(sql<boolean>`(snoozed_until is null or snoozed_until <= ${now})`)
    if (state === 'snoozed') fitting = fitting.where('snoozed_until', '>', now)
    if (assignee === 'none') fitting = fitting.where('assignee', 'is', null)
    if (channelId !== null) fitting = fitting.where('channel_id', '=', channelId)
    if (label !== null) fitting = fitting.where(sql<boolean>`${label} = any(labels)`)
    if (isUnread) fitting = fitting.where('unread', '>', 0)
    const found = (await queries.all(fitting.orderBy('last_at', 'desc').orderBy('id', 'desc').limit(limit))).map(conversationOf)
    if (found.length === limit) return { found, next: null }
    const [last] = await queries.all(
      ordered
        .select(['id', 'last_at'])
        .offset(rows - 1)
        .limit(1),
    )
    if (last === undefined) return { found, next: null }
    // Where conversations moved up meanwhile, it lies further up: what is below it is found again.
    const next = { lastAt: last.last_at, id: last.id }
    return { found: found.filter((each) => !isAfter(each, next)), next }
  })
}

/** Whether a conversation stands below this place of the list. */
const isAfter = (each: ListPlace, place: ListPlace) =>
  each.lastAt < place.lastAt || (each.lastAt.getTime() === place.lastAt.getTime() && each.id < place.id)

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
