import type { Uuid } from '../../base/id.ts'
import type { Queries, Tx } from '../../platform/database/database.ts'
import { queryBuilder, statement } from '../../platform/database/statement.ts'
import type { OptOut, OptOutSource } from './opt-out.ts'

type OptOutTable = {
  account_id: Uuid
  contact_id: Uuid
  livemode: boolean
  person: string
  source: OptOutSource
  author: Uuid | null
  created_at: Date
}

const build = queryBuilder<{ marketing_opt_out: OptOutTable }>()
const columns = ['account_id', 'contact_id', 'livemode', 'source', 'author', 'created_at'] as const

/** `person`: what the list is ordered by. */
export type NewOptOut = OptOut & { person: string }
export type OptOutKey = { accountId: Uuid; contactId: Uuid }

const upsert = statement(
  'upsert_opt_outs',
  // The first one stays (rule: opt-outs 2), and is locked: so the answer is true until commit, also where another transaction was about to
  // make or to lift it. What is written anew is the place in the list, of a person whose phone was not known at first. A row that was
  // inserted has no xmax; one that was there already has ours. Ordered, so that two batches never wait for each other in a ring.
  `insert into marketing_opt_out (account_id, contact_id, livemode, person, source, created_at, author)
  select account_id, contact_id, livemode, person, source, created_at, author
  from unnest($1::uuid[], $2::uuid[], $3::boolean[], $4::text[], $5::text[], $6::timestamptz[], $7::uuid[])
    as wanted (account_id, contact_id, livemode, person, source, created_at, author)
  order by account_id, contact_id
  on conflict (account_id, contact_id) do update set person = excluded.person
  returning account_id, contact_id, livemode, source, author, created_at, xmax = 0 as made`,
)

/** Writes opt-outs, each person at most once in the list, and answers them as they are now; `made`: it was not there before. */
export async function upsertOptOuts(tx: Tx, wanted: readonly NewOptOut[]): Promise<{ optOut: OptOut; made: boolean }[]> {
  const rows = await tx.run<Omit<OptOutTable, 'person'> & { made: boolean }>(upsert, [
    wanted.map((each) => each.accountId),
    wanted.map((each) => each.contactId),
    wanted.map((each) => each.livemode),
    wanted.map((each) => each.person),
    wanted.map((each) => each.source),
    wanted.map((each) => each.createdAt),
    wanted.map((each) => each.author),
  ])
  return rows.map((row) => ({ optOut: optOutOf(row), made: row.made }))
}

const remove = statement(
  'delete_opt_outs',
  `with locked as (
    select marketing_opt_out.account_id, marketing_opt_out.contact_id
    from unnest($1::uuid[], $2::uuid[]) as unwanted (account_id, contact_id)
    join marketing_opt_out
      on marketing_opt_out.account_id = unwanted.account_id and marketing_opt_out.contact_id = unwanted.contact_id
    order by marketing_opt_out.account_id, marketing_opt_out.contact_id
    for update of marketing_opt_out
  )
  delete from marketing_opt_out
  using locked
  where marketing_opt_out.account_id = locked.account_id and marketing_opt_out.contact_id = locked.contact_id
  returning ${columns.map((column) => `marketing_opt_out.${column}`).join(', ')}`,
)

/** Deletes opt-outs and answers those that there were. Locks them in the order of their keys. */
export async function deleteOptOuts(tx: Tx, unwanted: readonly OptOutKey[]): Promise<OptOut[]> {
  const rows = await tx.run<Omit<OptOutTable, 'person'>>(remove, [
    unwanted.map((each) => each.accountId),
    unwanted.map((each) => each.contactId),
  ])
  return rows.map(optOutOf)
}

const selectAmong = statement(
  'select_opted_out',
  // By primary key, on the path of template sends.
  `select wanted.ord::integer as ord
  from unnest($1::uuid[], $2::uuid[]) with ordinality as wanted (account_id, contact_id, ord)
  join marketing_opt_out on marketing_opt_out.account_id = wanted.account_id and marketing_opt_out.contact_id = wanted.contact_id`,
)

/** Says of each person, in the order asked, whether they have opted out of marketing messages. No lock: a send that commits beside an opt-out went first. */
export async function optedOutAmong(queries: Queries, wanted: readonly OptOutKey[]): Promise<boolean[]> {
  if (wanted.length === 0) return []
  const rows = await queries.run<{ ord: number }>(selectAmong, [wanted.map((each) => each.accountId), wanted.map((each) => each.contactId)])
  const found = new Set(rows.map((row) => row.ord))
  return wanted.map((_each, i) => found.has(i + 1))
}

/** The place of a person's opt-out in the list, or null where there is none. */
export async function findPlace(queries: Queries, { accountId, contactId }: OptOutKey): Promise<string | null> {
  const rows = await queries.all(
    build.selectFrom('marketing_opt_out').select('person').where('account_id', '=', accountId).where('contact_id', '=', contactId),
  )
  return rows[0]?.person ?? null
}

/** In the order of their places, those after `after`, at most `limit`. Served by `marketing_opt_out_list`. */
export async function selectOptOuts(
  queries: Queries,
  of: { accountId: Uuid; livemode: boolean },
  page: { after: string | null; limit: number },
): Promise<OptOut[]> {
  const all = build
    .selectFrom('marketing_opt_out')
    .select(columns)
    .where('account_id', '=', of.accountId)
    .where('livemode', '=', of.livemode)
  const wanted = page.after === null ? all : all.where('person', '>', page.after)
  return (await queries.all(wanted.orderBy('person').limit(page.limit))).map(optOutOf)
}

function optOutOf(row: Omit<OptOutTable, 'person'>): OptOut {
  return {
    accountId: row.account_id,
    contactId: row.contact_id,
    livemode: row.livemode,
    source: row.source,
    author: row.author,
    createdAt: row.created_at,
  }
}
