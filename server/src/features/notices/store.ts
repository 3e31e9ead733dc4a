import { present } from '../../base/assert.ts'
import type { Uuid } from '../../base/id.ts'
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

/** Notices that wait for the first time, and those that were worked through and shall be again. */
export type Queue = 'live' | 'replay'

export type WaitingNotice = {
  id: Uuid
  livemode: boolean
  accountId: Uuid | null
  body: Buffer
  tries: number
  dueAt: Date
  receivedAt: Date
  /** It comes behind notices that came after it. */
  isReplay: boolean
}

// In order of arrival. Another process works on the rows that are locked; `only` names one row when a batch is taken apart.
const inOrder = `and due_at <= $1 and ($3::uuid is null or id = $3)
  order by due_at, id
  limit $2
  for update skip locked`
const takeLive = statement(
  'take_waiting_notices',
  `select id, livemode, account_id, tries, due_at, received_at, octet_length(body) as bytes from inbox
  where state = 0 ${inOrder}`,
)
const takeReplay = statement(
  'take_replayed_notices',
  `select id, livemode, account_id, tries, due_at, received_at, octet_length(body) as bytes from inbox
  where state = 2 ${inOrder}`,
)
const readBodies = statement('read_notice_bodies', 'select id, body from inbox where id = any($1::uuid[])')

/** How much one transaction reads: two hundred of 3 MB each would not fit into memory, and after a crash they would be first again. */
const bytesPerTakeMax = 16 * 1024 * 1024

type TakenRow = { id: Uuid; livemode: boolean; account_id: Uuid | null; tries: number; due_at: Date; received_at: Date; bytes: number }

/** Takes notices that wait and are due, up to a size and the first in any case, and locks them until commit. `only`: no other than this one. */
export async function takeWaiting(tx: Tx, queue: Queue, wanted: { now: Date; most: number; only: Uuid | null }): Promise<WaitingNotice[]> {
  const locked = await tx.run<TakenRow>(queue === 'live' ? takeLive : takeReplay, [wanted.now, wanted.most, wanted.only])
  const taken = withinSize(locked)
  if (taken.length === 0) return []
  const bodies = await tx.run<{ id: Uuid; body: Buffer }>(readBodies, [taken.map((each) => each.id)])
  const bodyOf = new Map(bodies.map((each) => [each.id, each.body]))
  return taken.map((row) => ({
    id: row.id,
    livemode: row.livemode,
    accountId: row.account_id,
    body: present(bodyOf.get(row.id), 'its row is locked'),
    tries: row.tries,
    dueAt: row.due_at,
    receivedAt: row.received_at,
    isReplay: queue === 'replay',
  }))
}

function withinSize(locked: readonly TakenRow[]): TakenRow[] {
  let bytes = 0
  return locked.filter((row, i) => {
    bytes += row.bytes
    return i === 0 || bytes <= bytesPerTakeMax
  })
}

const nextLive = statement('next_notice_due', 'select min(due_at) as due_at from inbox where state = 0')
const nextReplay = statement('next_replay_due', 'select min(due_at) as due_at from inbox where state = 2')

/** When the next notice that waits is due; null when none waits. */
export async function nextDue(queries: Queries, queue: Queue): Promise<Date | null> {
  const rows = await queries.run<{ due_at: Date | null }>(queue === 'live' ? nextLive : nextReplay, [])
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

const listWorked = statement(
  'list_worked_notices',
  `select id from inbox
  where state = 1 and id > $1 and id < $2
  order by id
  limit $3`,
)

/** Notices that were worked through, by the time in their ids, both ends excluded. */
export async function listWorkedNotices(queries: Queries, after: Uuid, before: Uuid, most: number): Promise<Uuid[]> {
  return (await queries.run<{ id: Uuid }>(listWorked, [after, before, most])).map((row) => row.id)
}

const mark = statement(
  'mark_notices_for_replay',
  `update inbox set state = 2, tries = 0, due_at = $2
  where id = any($1::uuid[]) and state = 1
  returning id`,
)

/** Puts notices that were worked through into the queue of replays, and answers which those were. */
export async function markForReplay(tx: Tx, ids: readonly Uuid[], now: Date): Promise<Uuid[]> {
  return (await tx.run<{ id: Uuid }>(mark, [ids, now])).map((row) => row.id)
}

const findKept = statement('find_kept_notices', 'select id from inbox where id = any($1::uuid[])')

/** Those that are still there: notices are kept for some days. */
export async function findKeptNotices(queries: Queries, ids: readonly Uuid[]): Promise<Set<Uuid>> {
  return new Set((await queries.run<{ id: Uuid }>(findKept, [ids])).map((row) => row.id))
}

const insertOne = statement(
  'insert_replayed_notice',
  `insert into inbox (id, livemode, account_id, body, state, due_at, received_at)
  values ($1, $2, $3, $4, 2, $5, $6)`,
)

/** Writes a notice straight into the queue of replays. */
export async function insertForReplay(tx: Tx, notice: RawNotice): Promise<void> {
  await tx.run(insertOne, [notice.id, notice.livemode, notice.accountId, notice.body, notice.dueAt, notice.receivedAt])
}
