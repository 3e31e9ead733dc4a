import type { Uuid } from '../../base/id.ts'
import type { Queries, Tx } from '../../platform/database/database.ts'
import { statement } from '../../platform/database/statement.ts'

/** An item that could not be worked through, with all that working it through again needs. */
export type SetAside = {
  id: Uuid
  /** The notice that told it. */
  inboxId: Uuid
  livemode: boolean
  /** Whose it is; null: that is not known. */
  accountId: Uuid | null
  /** What it is, or where in the notice it stands. */
  field: string
  /** A notice of nothing but this item. */
  body: Buffer
  /** When upstream told it. */
  receivedAt: Date
  reason: string
  /** The `phone_number_id` that nobody has connected, where that is the reason. */
  awaitsNumber: string | null
  createdAt: Date
}

/** The same for a list: without its content. */
export type SetAsideItem = Omit<SetAside, 'inboxId' | 'body' | 'receivedAt'> & {
  /** It is in the queue of replays. */
  replaying: boolean
}

const clear = statement('clear_items_set_aside', 'delete from notice_set_aside where inbox_id = any($1::uuid[])')

/** Takes away what lies set aside of these notices, which are worked through anew. */
export async function clearSetAside(tx: Tx, inboxIds: readonly Uuid[]): Promise<void> {
  await tx.run(clear, [inboxIds])
}

const insert = statement(
  'set_notice_items_aside',
  `insert into notice_set_aside (id, inbox_id, livemode, account_id, field, body, reason, awaits_number, created_at, received_at)
  select * from unnest($1::uuid[], $2::uuid[], $3::boolean[], $4::uuid[], $5::text[], $6::bytea[], $7::text[], $8::text[], $9::timestamptz[],
    $10::timestamptz[])`,
)

/** Keeps items that could not be worked through, with the reason. */
export async function insertSetAside(tx: Tx, items: readonly SetAside[]): Promise<void> {
  if (items.length === 0) return
  await tx.run(insert, [
    items.map((each) => each.id),
    items.map((each) => each.inboxId),
    items.map((each) => each.livemode),
    items.map((each) => each.accountId),
    items.map((each) => each.field),
    items.map((each) => each.body),
    items.map((each) => each.reason),
    items.map((each) => each.awaitsNumber),
    items.map((each) => each.createdAt),
    items.map((each) => each.receivedAt),
  ])
}

const list = statement(
  'list_items_set_aside',
  `select id, livemode, account_id, field, reason, awaits_number, created_at,
    coalesce((select state <> 1 from inbox where inbox.id = notice_set_aside.inbox_id), false) as waits
  from notice_set_aside
  where id < 'ffffffff-ffff-ffff-ffff-ffffffffffff'
  order by id desc
  limit $1`,
)

type ItemRow = {
  id: Uuid
  livemode: boolean
  account_id: Uuid | null
  field: string
  reason: string
  awaits_number: string | null
  created_at: Date
  waits: boolean
}

/** What lies set aside, over all accounts, the newest first. */
export async function listSetAside(queries: Queries, most: number): Promise<SetAsideItem[]> {
  const rows = await queries.run<ItemRow>(list, [most])
  return rows.map((row) => ({
    id: row.id,
    livemode: row.livemode,
    accountId: row.account_id,
    field: row.field,
    reason: row.reason,
    awaitsNumber: row.awaits_number,
    createdAt: row.created_at,
    replaying: row.waits,
  }))
}

const findNotices = statement('find_notices_of_items', 'select id, inbox_id from notice_set_aside where id = any($1::uuid[])')

export type ItemOfNotice = { id: Uuid; inboxId: Uuid }

/** The notice of each item; an item that is not there is left out. */
export async function findNoticesOfItems(queries: Queries, ids: readonly Uuid[]): Promise<ItemOfNotice[]> {
  const rows = await queries.run<{ id: Uuid; inbox_id: Uuid }>(findNotices, [ids])
  return rows.map((row) => ({ id: row.id, inboxId: row.inbox_id }))
}

const move = statement(
  'move_item_to_notice',
  // Of two at once the second finds another inbox_id and moves nothing. What an earlier version set aside has only its text.
  `update notice_set_aside set inbox_id = $3
  where id = $1 and inbox_id = $2
  returning livemode, account_id, coalesce(body, convert_to(item, 'UTF8')) as body, coalesce(received_at, created_at) as received_at`,
)

export type ToldItem = { livemode: boolean; accountId: Uuid | null; body: Buffer; receivedAt: Date }

/** Makes an item one of another notice, and answers what that has to hold; null when it is not one of its notice any more. */
export async function moveItem(tx: Tx, item: ItemOfNotice, to: Uuid): Promise<ToldItem | null> {
  type Row = { livemode: boolean; account_id: Uuid | null; body: Buffer; received_at: Date }
  const [row] = await tx.run<Row>(move, [item.id, item.inboxId, to])
  return row === undefined ? null : { livemode: row.livemode, accountId: row.account_id, body: row.body, receivedAt: row.received_at }
}

const awaited = statement(
  'list_awaited_numbers',
  // From one number to the next by the index, however many items wait for each.
  `with recursive number (id) as (
    (select awaits_number from notice_set_aside where awaits_number > $1 order by awaits_number limit 1)
    union all
    select (select awaits_number from notice_set_aside where awaits_number > number.id order by awaits_number limit 1)
    from number
    where number.id is not null
  )
  select id from number where id is not null limit $2`,
)

/** The numbers that items wait for, in their order, those after one. */
export async function listAwaitedNumbers(queries: Queries, after: string, most: number): Promise<string[]> {
  return (await queries.run<{ id: string }>(awaited, [after, most])).map((row) => row.id)
}

const release = statement(
  'release_awaiting_items',
  `update notice_set_aside set awaits_number = null
  where id in (
    select id from notice_set_aside
    where awaits_number = $1
    order by id
    limit $2
    for update skip locked)
  returning id, coalesce(received_at, created_at) as received_at`,
)

/** Items that wait for a number do so no more; returns which, with when upstream told them. */
export async function releaseAwaiting(tx: Tx, phoneNumberId: string, most: number): Promise<{ id: Uuid; receivedAt: Date }[]> {
  const rows = await tx.run<{ id: Uuid; received_at: Date }>(release, [phoneNumberId, most])
  return rows.map((row) => ({ id: row.id, receivedAt: row.received_at }))
}
