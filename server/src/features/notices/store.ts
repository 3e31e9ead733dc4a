import type { Uuid } from '../../base/id.ts'
import type { JsonText } from '../../base/json.ts'
import type { Queries, Tx } from '../../platform/database/database.ts'
import { statement } from '../../platform/database/statement.ts'

/** A notice as it came, before anything is known of it. */
export type RawNotice = { id: Uuid; livemode: boolean; accountId: Uuid | null; body: Buffer; dueAt: Date; receivedAt: Date }

const insert = statement(
  'insert_notices',
  `insert into inbox (id, livemode, account_id, body, due_at, received_at)
  select * from unnest($1::uuid[], $2::boolean[], $3::uuid[], $4::bytea[], $5::timestamptz[], $6::timestamptz[])
  on conflict do nothing`,
)

/** Writes notices down. May be repeated: their ids tell them apart. */
export async function insertNotices(queries: Queries, notices: readonly RawNotice[]): Promise<void> {
  await queries.run(insert, [
    notices.map((each) => each.id),
    notices.map((each) => each.livemode),
    notices.map((each) => each.accountId),
    notices.map((each) => each.body),
    notices.map((each) => each.dueAt),
    notices.map((each) => each.receivedAt),
  ])
}

export type WaitingNotice = { id: Uuid; livemode: boolean; accountId: Uuid | null; body: Buffer; tries: number; dueAt: Date }

const take = statement(
  'take_waiting_notices',
  // In order of arrival. Another process works on the rows that are locked; `only` names one row when a batch is taken apart.
  `select id, livemode, account_id, body, tries, due_at from inbox
  where state = 0 and due_at <= $1 and ($3::uuid is null or id = $3)
  order by due_at, id
  limit $2
  for update skip locked`,
)

/** Takes notices that wait and are due, and locks them until commit. */
export async function takeWaiting(tx: Tx, now: Date, most: number, only: Uuid | null): Promise<WaitingNotice[]> {
  const rows = await tx.run<{ id: Uuid; livemode: boolean; account_id: Uuid | null; body: Buffer; tries: number; due_at: Date }>(take, [
    now,
    most,
    only,
  ])
  return rows.map((row) => ({
    id: row.id,
    livemode: row.livemode,
    accountId: row.account_id,
    body: row.body,
    tries: row.tries,
    dueAt: row.due_at,
  }))
}

const next = statement('next_notice_due', 'select min(due_at) as due_at from inbox where state = 0')

/** When the next notice that waits is due; null when none waits. */
export async function nextDue(queries: Queries): Promise<Date | null> {
  const rows = await queries.run<{ due_at: Date | null }>(next, [])
  return rows[0]?.due_at ?? null
}

const finish = statement('finish_notices', 'update inbox set state = 1 where id = any($1::uuid[])')

export async function finishNotices(tx: Tx, ids: readonly Uuid[]): Promise<void> {
  await tx.run(finish, [ids])
}

const postpone = statement('postpone_notice', 'update inbox set tries = tries + 1, due_at = $2 where id = $1')

/** Leaves a notice for a later try. */
export async function postponeNotice(tx: Tx, id: Uuid, dueAt: Date): Promise<void> {
  await tx.run(postpone, [id, dueAt])
}

export type SetAside = { id: Uuid; inboxId: Uuid; field: string; item: JsonText; reason: string; createdAt: Date }

const setAside = statement(
  'set_notice_items_aside',
  `insert into notice_set_aside (id, inbox_id, field, item, reason, created_at)
  select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::timestamptz[])`,
)

/** Keeps items that could not be worked through, with the reason. */
export async function insertSetAside(tx: Tx, items: readonly SetAside[]): Promise<void> {
  if (items.length === 0) return
  await tx.run(setAside, [
    items.map((each) => each.id),
    items.map((each) => each.inboxId),
    items.map((each) => each.field),
    items.map((each) => each.item),
    items.map((each) => each.reason),
    items.map((each) => each.createdAt),
  ])
}
