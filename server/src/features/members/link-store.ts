import type { Uuid } from '../../base/id.ts'
import type { Queries, Tx } from '../../platform/database/database.ts'
import { statement } from '../../platform/database/statement.ts'

const insert = statement(
  'insert_one_time_link',
  `insert into one_time_link (hash, user_id, created_at, expires_at, mailed)
  values ($1, $2, $3, $4, $5)`,
)
const select = statement(
  'select_one_time_link',
  `select user_id, mailed
  from one_time_link
  where hash = $1 and used_at is null and expires_at > $2`,
)
// Counted before the code is looked at: of many at once no more are tried than are allowed.
const countTry = statement(
  'count_try_of_one_time_link',
  `update one_time_link
  set tries = tries + 1
  where hash = $1 and used_at is null and expires_at > $2 and tries < $3
  returning user_id`,
)
const spend = statement(
  'spend_one_time_link',
  `update one_time_link
  set used_at = $2
  where hash = $1 and used_at is null and expires_at > $2
  returning user_id`,
)
const deleteOfUser = statement('delete_one_time_links_of_user', 'delete from one_time_link where user_id = $1')
const deleteExpired = statement(
  'delete_expired_one_time_links',
  'delete from one_time_link where hash = any(array(select hash from one_time_link where expires_at < $1 limit $2)) returning 1',
)

/** `mailed`: its token goes out in a mail and nowhere else. */
type Link = { hash: Buffer; userId: Uuid; createdAt: Date; expiresAt: Date; mailed: boolean }

export async function insertLink(queries: Queries, { hash, userId, createdAt, expiresAt, mailed }: Link): Promise<void> {
  await queries.run(insert, [hash, userId, createdAt, expiresAt, mailed])
}

/** Whom an unspent link signs in; null: it is none, or no longer one. */
export async function findLink(queries: Queries, hash: Buffer, now: Date): Promise<{ userId: Uuid; mailed: boolean } | null> {
  const [row] = await queries.run<{ user_id: Uuid; mailed: boolean }>(select, [hash, now])
  return row === undefined ? null : { userId: row.user_id, mailed: row.mailed }
}

/** Whom an unspent link signs in, and one try less is left; null also when none was. */
export const takeTryOfLink = (queries: Queries, hash: Buffer, now: Date, triesMax: number): Promise<Uuid | null> =>
  userIn(queries.run(countTry, [hash, now, triesMax]))

/** The same, and the link is spent: of several at once one is answered. */
export const spendLink = (queries: Queries, hash: Buffer, now: Date): Promise<Uuid | null> => userIn(queries.run(spend, [hash, now]))

export async function removeLinksOf(queries: Queries | Tx, userId: Uuid): Promise<void> {
  await queries.run(deleteOfUser, [userId])
}

/** Removes links whose time is over, at most `most`, and returns how many. */
export async function removeExpiredLinks(queries: Queries, now: Date, most: number): Promise<number> {
  return (await queries.run(deleteExpired, [now, most])).length
}

async function userIn(rows: Promise<unknown[]>): Promise<Uuid | null> {
  const [row] = (await rows) as { user_id: Uuid }[]
  return row?.user_id ?? null
}
