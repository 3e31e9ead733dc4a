import { lowestUuidAt, momentOf, type Uuid } from '../../base/id.ts'
import type { Queries, Tx } from '../../platform/database/database.ts'
import { statement } from '../../platform/database/statement.ts'

/** What one transaction did in one account and mode. */
export type FeedEntry = {
  accountId: Uuid
  livemode: boolean
  newIds: readonly Uuid[]
  movedIds: readonly Uuid[]
  changedIds: readonly Uuid[]
  conversationIds: readonly Uuid[]
}

/** A place in the feed: what was read up to it is read, whatever commits later. */
export type FeedPlace = { xid: string; id: Uuid }

export type FeedRow = FeedEntry & FeedPlace

const insert = statement(
  'insert_message_changes',
  // Arrays of arrays must be of one length: each list goes in as its text.
  `insert into message_change (account_id, id, livemode, new_ids, moved_ids, changed_ids, conversation_ids)
  select account_id, id, livemode, new_ids::uuid[], moved_ids::uuid[], changed_ids::uuid[], conversation_ids::uuid[]
  from unnest($1::uuid[], $2::uuid[], $3::boolean[], $4::text[], $5::text[], $6::text[], $7::text[])
    as change (account_id, id, livemode, new_ids, moved_ids, changed_ids, conversation_ids)`,
)

export async function insertChanges(tx: Tx, entries: readonly (FeedEntry & { id: Uuid })[]): Promise<void> {
  await tx.run(insert, [
    entries.map((each) => each.accountId),
    entries.map((each) => each.id),
    entries.map((each) => each.livemode),
    entries.map((each) => textOf(each.newIds)),
    entries.map((each) => textOf(each.movedIds)),
    entries.map((each) => textOf(each.changedIds)),
    entries.map((each) => textOf(each.conversationIds)),
  ])
}

const textOf = (ids: readonly Uuid[]) => `{${ids.join(',')}}`

type Row = {
  account_id: Uuid
  id: Uuid
  livemode: boolean
  xid: string
  new_ids: Uuid[]
  moved_ids: Uuid[]
  changed_ids: Uuid[]
  conversation_ids: Uuid[]
}

// In an `order by`, `xid` alone would be the text.
const columns = 'account_id, id, livemode, xid::text as xid, new_ids, moved_ids, changed_ids, conversation_ids'

const rowOf = (row: Row): FeedRow => ({
  accountId: row.account_id,
  id: row.id,
  livemode: row.livemode,
  xid: row.xid,
  newIds: row.new_ids,
  movedIds: row.moved_ids,
  changedIds: row.changed_ids,
  conversationIds: row.conversation_ids,
})

const readAll = statement(
  'read_message_changes',
  `select ${columns} from message_change
  where (xid, id) > ($1::xid8, $2::uuid) and xid < $4::xid8
  order by message_change.xid, message_change.id
  limit $3`,
)

/**
 * The next changes of all accounts after that place, in their order, at most `most`, and all below `end`, which `endOfFeed` returned before in
 * a statement of its own: so never one that another could still come before.
 */
export async function readChanges(queries: Queries, { xid, id }: FeedPlace, end: { xid: string }, most: number): Promise<FeedRow[]> {
  return (await queries.run<Row>(readAll, [xid, id, most, end.xid])).map(rowOf)
}

const readFirst = statement(
  'read_first_message_change',
  `select id from message_change where (xid, id) > ($1::xid8, $2::uuid) order by message_change.xid, message_change.id limit 1`,
)

/** When the first change after that place was made; null: there is none. */
export async function firstChangeAfter(queries: Queries, { xid, id }: FeedPlace): Promise<Date | null> {
  const [row] = await queries.run<{ id: Uuid }>(readFirst, [xid, id])
  return row === undefined ? null : momentOf(row.id)
}

const readOfAccounts = statement(
  'read_message_changes_of_accounts',
  `select ${columns} from message_change
  where (xid, id) > ($1::xid8, $2::uuid) and (xid, id) <= ($3::xid8, $4::uuid) and account_id = any($5::uuid[])
  order by message_change.xid, message_change.id
  limit $6`,
)

/** The changes of these accounts after one place and up to another that somebody has read to, in their order, at most `most`. */
export async function readChangesOf(
  queries: Queries,
  accountIds: readonly Uuid[],
  { after, to }: { after: FeedPlace; to: FeedPlace },
  most: number,
): Promise<FeedRow[]> {
  return (await queries.run<Row>(readOfAccounts, [after.xid, after.id, to.xid, to.id, accountIds, most])).map(rowOf)
}

const readSince = statement(
  'read_message_changes_since',
  // By the key, which the order of the feed is not: few of one account, where the index of the order has those of all.
  `select ${columns} from message_change
  where account_id = $1 and livemode = $2 and id >= $3
  order by id
  limit $4`,
)

/** An id is made within its transaction, which may take this long: by so much the order of ids and that of the feed may differ. */
const transactionMsMax = 120_000

/**
 * The changes of one account and mode after one place and up to another, in their order; null: there are more than `most`. Both
 * places are of today or yesterday.
 */
export async function readChangesBetween(
  queries: Queries,
  of: { accountId: Uuid; livemode: boolean },
  { after, to }: { after: FeedPlace; to: FeedPlace },
  most: number,
): Promise<FeedRow[] | null> {
  const from = lowestUuidAt(new Date(momentOf(after.id).getTime() - transactionMsMax))
  const rows = (await queries.run<Row>(readSince, [of.accountId, of.livemode, from, most + 1])).map(rowOf)
  if (rows.length > most) return null
  return rows.filter((row) => comparePlaces(row, after) > 0 && comparePlaces(row, to) <= 0).toSorted(comparePlaces)
}

/** Which of two places is further: below 0 the second, above 0 the first. */
export function comparePlaces(a: FeedPlace, b: FeedPlace): number {
  const [x, y] = [BigInt(a.xid), BigInt(b.xid)]
  if (x !== y) return x < y ? -1 : 1
  return a.id === b.id ? 0 : a.id < b.id ? -1 : 1
}

const readEnd = statement(
  'read_end_of_feed',
  // The oldest transaction of this database that has not ended: only such a one can still write what belongs before. Those of the server's
  // other databases, which the snapshot counts too, cannot, and neither can a prepared one: the gateway prepares none. `beyond` is read first
  // and whatever begins later is not below it. A session whose transaction we may not see (of another role) might write: then the snapshot counts.
  `with bounds as materialized (
    select pg_snapshot_xmin(pg_current_snapshot()) as oldest, pg_snapshot_xmax(pg_current_snapshot()) as beyond
  ), session as materialized (
    select activity.backend_xid as xid,
      activity.usesysid is not null and not (pg_has_role(activity.usesysid, 'usage') or pg_has_role('pg_read_all_stats', 'usage')) as is_hidden
    from bounds, pg_stat_get_activity(null) as activity
    where activity.datid = (select oid from pg_database where datname = current_database())
  ), open as (
    select coalesce(bool_or(is_hidden), false) as is_any_hidden,
      -- Of 32 bits that wrap: how far behind the end tells them apart.
      -- One that has begun since is ahead of it.
      max(apart) filter (where apart < 2147483648) as behind
    from bounds left join session on true
    left join lateral (
      select mod(mod(beyond::text::numeric, 4294967296) - session.xid::text::numeric + 4294967296, 4294967296) as apart
    ) as place on true
  )
  select beyond::text as beyond,
    case
      when is_any_hidden then oldest::text
      else (beyond::text::numeric - coalesce(behind, 0))::text
    end as xid
  from bounds, open`,
)

/**
 * From where on the feed holds whatever was not committed when this was asked. Once in a transaction: it would see the sessions of the first time
 * again. Also an id that no transaction has had yet. */
export async function endOfFeed(queries: Queries): Promise<FeedPlace & { beyond: string }> {
  const [row] = await queries.run<{ xid: string; beyond: string }>(readEnd, [])
  return { xid: row?.xid ?? '0', id: '00000000-0000-0000-0000-000000000000' as Uuid, beyond: row?.beyond ?? '0' }
}
