import type { Uuid } from '../../base/id.ts'
import type { Queries, Tx } from '../../platform/database/database.ts'
import { statement } from '../../platform/database/statement.ts'

const find = statement(
  'find_contact_windows',
  // Of the person and of all who turned out to be them. A subquery, which is looked up window by window whatever the planner knows: a join would
  // let it read all windows of the number.
  `select wanted.ord::integer as ord, (
    select max(contact_window.last_inbound_at) from contact_window
    where contact_window.account_id = wanted.account_id and contact_window.channel_id = wanted.channel_id
      and contact_window.contact_id = any(person.former_ids || wanted.contact_id)
  ) as last_inbound_at
  from unnest($1::uuid[], $2::uuid[], $3::uuid[]) with ordinality as wanted (account_id, channel_id, contact_id, ord)
  left join contact person on person.account_id = wanted.account_id and person.id = wanted.contact_id`,
)

export type WindowKey = { accountId: Uuid; channelId: Uuid; contactId: Uuid }

export async function findLastInbound(
  queries: Queries,
  wanted: readonly WindowKey[],
): Promise<{ ord: number; last_inbound_at: Date | null }[]> {
  return queries.run(find, [
    wanted.map((each) => each.accountId),
    wanted.map((each) => each.channelId),
    wanted.map((each) => each.contactId),
  ])
}

const open = statement(
  'open_contact_windows',
  `insert into contact_window (account_id, channel_id, contact_id, last_inbound_at)
  select account_id, channel_id, contact_id, at
  from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::timestamptz[]) as opened (account_id, channel_id, contact_id, at)
  order by account_id, channel_id, contact_id
  on conflict (account_id, channel_id, contact_id) do update set last_inbound_at = excluded.last_inbound_at
  where contact_window.last_inbound_at < excluded.last_inbound_at`,
)

/** Each key at most once in the list: one statement cannot touch a row twice. */
export async function upsertWindows(tx: Tx, opened: readonly (WindowKey & { at: Date })[]): Promise<void> {
  await tx.run(open, [
    opened.map((each) => each.accountId),
    opened.map((each) => each.channelId),
    opened.map((each) => each.contactId),
    opened.map((each) => each.at),
  ])
}
