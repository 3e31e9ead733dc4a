import type { Uuid } from '../../base/id.ts'
import type { Queries, Tx } from '../../platform/database/database.ts'
import { statement } from '../../platform/database/statement.ts'

export type FollowerName = 'conversations' | 'search'

/** How far somebody has come in the feed; while `sweep` is not null, the messages themselves are read, after that one. */
export type Follower = { xid: string; id: Uuid; sweep: { accountId: Uuid; id: Uuid } | null }

type Row = { xid: string; id: Uuid; sweep_account: Uuid | null; sweep_id: Uuid | null }

const followerOf = ({ xid, id, sweep_account, sweep_id }: Row): Follower => ({
  xid,
  id,
  sweep: sweep_account === null || sweep_id === null ? null : { accountId: sweep_account, id: sweep_id },
})

const take = statement(
  'take_feed_follower',
  'select xid::text as xid, id, sweep_account, sweep_id from feed_follower where name = $1 for update skip locked',
)
const read = statement('read_feed_follower', 'select xid::text as xid, id, sweep_account, sweep_id from feed_follower where name = $1')
const look = statement(
  'look_at_feed_follower',
  `select follower.xid::text as xid, follower.id, follower.sweep_account, follower.sweep_id,
    follower.xid >= pg_snapshot_xmax(pg_current_snapshot())
      or exists (select from message_change change where (change.xid, change.id) > (follower.xid, follower.id)) as has_news
  from feed_follower follower
  where follower.name = $1`,
)
const move = statement(
  'move_feed_follower',
  'update feed_follower set xid = $2::xid8, id = $3, sweep_account = $4, sweep_id = $5 where name = $1',
)

/** Locks a follower until commit; null: another process is at it. */
export async function takeFollower(tx: Tx, name: FollowerName): Promise<Follower | null> {
  const [row] = await tx.run<Row>(take, [name])
  return row === undefined ? null : followerOf(row)
}

/** Up to where the follower has come, by what is committed. */
export async function readFollower(queries: Queries, name: FollowerName): Promise<Follower> {
  const [row] = await queries.run<Row>(read, [name])
  if (row === undefined) throw new Error(`bug: the follower ${name} is made by the migration`)
  return followerOf(row)
}

/** The same, and whether anything may be there for it, or its place is none of this database: one look, where taking it is five statements. */
export async function lookAtFollower(queries: Queries, name: FollowerName): Promise<Follower & { hasNews: boolean }> {
  const [row] = await queries.run<Row & { has_news: boolean }>(look, [name])
  if (row === undefined) throw new Error(`bug: the follower ${name} is made by the migration`)
  return { ...followerOf(row), hasNews: row.has_news }
}

/** Writes how far a follower has come, which this transaction has locked. */
export async function moveFollower(tx: Tx, name: FollowerName, { xid, id, sweep }: Follower): Promise<void> {
  await tx.run(move, [name, xid, id, sweep?.accountId ?? null, sweep?.id ?? null])
}
