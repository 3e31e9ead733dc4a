import { sql } from 'kysely'
import type { Uuid } from '../../base/id.ts'
import { queryBuilder, statement } from '../../platform/database/statement.ts'
import {
  type Lookup,
  lookingAt,
  pageInSteps,
  type Step as StepFound,
  type SteppedPage,
  shownOrRefused,
  stepOf,
} from '../../platform/database/steps.ts'
import { type Message, type MessageSource, type MessageStatus, messageSources } from './message.ts'
import { type MessageRow, messageColumns, messageOf } from './store.ts'

export type MessageFilter = {
  accountId: Uuid
  livemode: boolean
  /** Ids below this one. */
  before: Uuid | null
  /** Bounds on the id, which holds `created_at`: inclusive, exclusive. */
  from: Uuid | null
  until: Uuid | null
  direction: Message['direction'] | null
  status: MessageStatus | null
  /** Messages under any of these. */
  contactIds: readonly Uuid[] | null
  clientReference: string | null
  source: MessageSource | null
}

/** So many of the newest are looked at one by one; mostly the page is full by then. */
const newestLookedAt = 500

/**
 * Newest first, at most `limit`. No statement looks at more than some thousand rows, however few of an account's messages fit: what the
 * newest do not have is found by `message_by_state`, or in steps through the messages of the person or the reference. Throws `TooMuchToRead`
 * where these steps took too long and nothing was found.
 */
export async function listMessages(lookup: Lookup, filter: MessageFilter, limit: number): Promise<Page> {
  if (filter.contactIds === null) return shownOrRefused(await listOf(lookup, filter, null, limit))
  // One page for each, because `message_by_contact` is in order only within one contact. Nearly everybody has one id.
  const pages = await Promise.all(filter.contactIds.map((contactId) => listOf(lookup, filter, contactId, limit)))
  return shownOrRefused(merged(pages, limit))
}

type Page = SteppedPage<Message, Uuid>

/** Below the place where one of the pages stopped, its messages would be missing among those of the others. */
function merged(pages: readonly Page[], limit: number): Page {
  const stoppedAt = pages.reduce<Uuid | null>((newest, each) => ((each.stoppedAt ?? '') > (newest ?? '') ? each.stoppedAt : newest), null)
  const rows = pages
    .flatMap((each) => each.rows)
    .filter(({ id }) => id >= (stoppedAt ?? ''))
    .sort((a, b) => (a.id < b.id ? 1 : -1))
  return { rows: rows.slice(0, limit), stoppedAt }
}

async function listOf(lookup: Lookup, filter: MessageFilter, contactId: Uuid | null, limit: number): Promise<Page> {
  const look = (step: Step) => firstOf(lookup, { ...filter, before: step.from }, contactId, step)
  if (contactId !== null || filter.clientReference !== null) return pageInSteps(lookup, { from: filter.before, limit }, look)
  const newest = await look({ from: filter.before, limit, rows: newestLookedAt })
  return { rows: newest.next === null ? newest.found : await byState(lookup, filter, limit), stoppedAt: null }
}

const build = queryBuilder<{ message: MessageRow }>()
type Step = { from: Uuid | null; limit: number; rows: number }

/** What fits among the next `rows`; `next`: the id below which to go on, null where nothing is left or the page is full. */
async function firstOf(lookup: Lookup, filter: MessageFilter, contactId: Uuid | null, step: Step): Promise<StepFound<Message, Uuid>> {
  const looking = lookingAt(fits(filter), step.rows)
  const numbered = sql<number>`row_number() over (order by id desc)`.as('n')
  const window = inOrder(filter, contactId)
    .select([...messageColumns, numbered])
    .limit(step.rows)
    .as('message')
  const query = build.selectFrom(window).selectAll().select(looking.columns).where(looking.where).orderBy('id', 'desc').limit(step.limit)
  const { found, next } = stepOf(await lookup.all(query), step.limit, (row) => row.id)
  return { found: found.map(messageOf), next }
}

/** In the order of the primary key, `message_by_contact` or `message_by_reference`. */
function inOrder({ accountId, before, from, until, clientReference }: MessageFilter, contactId: Uuid | null) {
  let query = build.selectFrom('message').where('account_id', '=', accountId)
  if (before !== null) query = query.where('id', '<', before)
  if (from !== null) query = query.where('id', '>=', from)
  if (until !== null) query = query.where('id', '<', until)
  if (contactId !== null) query = query.where('contact_id', '=', contactId)
  if (clientReference !== null) query = query.where('client_reference', '=', clientReference)
  return query.orderBy('id', 'desc')
}

const fits = ({ livemode, direction, status, source }: MessageFilter) =>
  sql<boolean>`livemode = ${livemode} and (${direction}::text is null or direction = ${direction}::text)
    and (${status}::text is null or status = ${status}::text) and (${source}::text is null or source = ${source}::text)`

const selectByState = statement(
  'list_messages_by_state',
  // A page for each state and source, each in order within `message_by_state`, which is found by its own condition.
  `select page.* from unnest($3::text[], $4::text[]) as wanted (status, source)
  cross join lateral (
    select ${messageColumns.map((column) => `message.${column}`).join(', ')} from message
    where message.account_id = $1 and message.livemode = $2 and message.status = wanted.status and message.source = wanted.source
      and message.source <> '' and message.id < $5 and message.id < $6 and message.id >= $7
    order by message.id desc
    limit $8
  ) as page
  order by page.id desc
  limit $8`,
)

const statuses: readonly MessageStatus[] = ['queued', 'sent', 'delivered', 'read', 'failed', 'received']
const sources: readonly MessageSource[] = messageSources
const firstUuid = '00000000-0000-0000-0000-000000000000'
const lastUuid = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

async function byState(queries: Lookup, filter: MessageFilter, limit: number): Promise<Message[]> {
  const { accountId, livemode, before, from, until, direction, status, source } = filter
  // What is received came in, and nothing else did (`inbound_is_received`).
  const fittingStatuses = statuses.filter(
    (each) => (status ?? each) === each && (direction === null || (direction === 'inbound') === (each === 'received')),
  )
  const wanted = fittingStatuses.flatMap((each) => (source === null ? sources : [source]).map((from) => ({ status: each, source: from })))
  const rows = await queries.run<MessageRow>(selectByState, [
    accountId,
    livemode,
    wanted.map((each) => each.status),
    wanted.map((each) => each.source),
    before ?? lastUuid,
    until ?? lastUuid,
    from ?? firstUuid,
    limit,
  ])
  return rows.map(messageOf)
}
