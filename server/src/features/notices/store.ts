import { present } from '../../base/assert.ts'
import type { Uuid } from '../../base/id.ts'
import { laneOf } from '../../base/lane-of.ts'
import type { Queries, Tx } from '../../platform/database/database.ts'
import { statement } from '../../platform/database/statement.ts'

/** A notice as it came, before anything is known of it. */
export type RawNotice = { id: Uuid; livemode: boolean; accountId: Uuid | null; body: Buffer; dueAt: Date; receivedAt: Date }

const insert = statement(
  'insert_notices',
  `insert into inbox (id, livemode, account_id, body, due_at, received_at, lane)
  select * from unnest($1::uuid[], $2::boolean[], $3::uuid[], $4::bytea[], $5::timestamptz[], $6::timestamptz[], $7::smallint[])
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
    notices.map(laneOf),
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
  lane: number
  /** It comes behind notices that came after it. */
  isReplay: boolean
}

const columns = 'id, livemode, account_id, tries, due_at, received_at, lane, octet_length(body) as bytes'

const takeLive = statement(
  'take_waiting_notices',
  // Another process works on the rows that are locked.
  `select ${columns} from inbox
  where state = 0 and lane > $3 and due_at <= $1
  order by lane, due_at, id
  limit $2
  for update skip locked`,
)
const takeReplay = statement(
  'take_replayed_notices',
  `select ${columns} from inbox
  where state = 2 and due_at <= $1
  order by due_at, id
  limit $2
  for update skip locked`,
)
const readBodies = statement('read_notice_bodies', 'select id, body from inbox where id = any($1::uuid[])')

/** How much one transaction reads beside its first notice: as much as is parsed in some milliseconds. */
const bytesPerTakeMax = 1024 * 1024

type TakenRow = {
  id: Uuid
  livemode: boolean
  account_id: Uuid | null
  tries: number
  due_at: Date
  received_at: Date
  lane: number
  bytes: number
}

/** `isAll`: nothing more is due and free behind these. */
export type Taken = { notices: WaitingNotice[]; isAll: boolean }

/**
 * Takes notices that wait and are due, up to a size and the first in any case, and locks them until commit. New ones by their lanes, those
 * behind one lane and each lane in order of arrival; replayed ones all in order of arrival.
 */
export async function takeWaiting(tx: Tx, queue: Queue, wanted: { now: Date; most: number; afterLane: number }): Promise<Taken> {
  const { now, most, afterLane } = wanted
  const locked = await (queue === 'live' ? tx.run<TakenRow>(takeLive, [now, most, afterLane]) : tx.run<TakenRow>(takeReplay, [now, most]))
  const taken = withinSize(locked)
  return { notices: await withBodies(tx, queue, taken), isAll: locked.length < most && taken.length === locked.length }
}

async function withBodies(tx: Tx, queue: Queue, taken: readonly TakenRow[]): Promise<WaitingNotice[]> {
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
    lane: row.lane,
    isReplay: queue === 'replay',
  }))
}

/** The first in any case, and no other behind one that is too much. */
function withinSize(locked: readonly TakenRow[]): TakenRow[] {
  let bytes = 0
  const end = locked.findIndex((row, i) => {
    bytes += row.bytes
    return i > 0 && bytes > bytesPerTakeMax
  })
  return locked.slice(0, end < 0 ? locked.length : end)
}

const takeById = statement(
  'take_notice',
  `select ${columns} from inbox where id = $1 and state = $2 and due_at <= $3 for update skip locked`,
)

/** The number that each queue has in the table. */
const stateOf = { live: 0, replay: 2 } as const

/** The same for one; null: it is not due any more, or another process has it. */
export async function takeNotice(tx: Tx, queue: Queue, { id, now }: { id: Uuid; now: Date }): Promise<WaitingNotice | null> {
  const [notice] = await withBodies(tx, queue, await tx.run<TakenRow>(takeById, [id, stateOf[queue], now]))
  return notice ?? null
}

const hold = statement('hold_notice', 'update inbox set due_at = $3 where id = $1 and state = $2 returning id')

/**
 * Keeps a notice from being taken until a moment, also over several transactions: whoever holds it and dies is followed by another process
 * then. False: it was worked through meanwhile.
 */
export async function holdNotice(tx: Tx, queue: Queue, { id, until }: { id: Uuid; until: Date }): Promise<boolean> {
  return (await tx.run(hold, [id, stateOf[queue], until])).length > 0
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
