import type { Uuid } from '../../base/id.ts'
import type { Queries, Tx } from '../../platform/database/database.ts'
import { statement } from '../../platform/database/statement.ts'
import type { Language, Session, User } from './member.ts'

// The tables of the library, read and written by ourselves where that belongs into one transaction with rows of ours, or where the
// library would hand out more than we show. Its own names; its version is pinned, and a test says when its tables change.

type UserRow = {
  id: Uuid
  email: string
  name: string
  language: Language | null
  two_factor: boolean
  has_password: boolean
  verified: boolean
}

const selectUser = statement(
  'select_console_user',
  `select id, email, name, language, coalesce("twoFactorEnabled", false) as two_factor, "emailVerified" as verified,
    exists (select from auth.account a where a."userId" = u.id and a."providerId" = 'credential' and a.password is not null) as has_password
  from auth."user" u
  where id = $1`,
)
const selectUserByEmail = statement('select_console_user_by_email', `select id from auth."user" where email = $1`)
const insert = statement(
  'insert_console_user',
  `insert into auth."user" (id, name, email, "emailVerified", "createdAt", "updatedAt", "twoFactorEnabled")
  values ($1, $2, $3, $5, $4, $4, false)
  on conflict (email) do nothing
  returning id`,
)
const insertPassword = statement(
  'insert_console_password',
  `insert into auth.account (id, "accountId", "providerId", "userId", password, "createdAt", "updatedAt")
  values ($1, $2::text, 'credential', $2::uuid, $3, $4, $4)`,
)
const deletePassword = statement('delete_console_password', `delete from auth.account where "userId" = $1 and "providerId" = 'credential'`)
const setVerified = statement(
  'set_email_verified',
  `update auth."user" set "emailVerified" = true, "updatedAt" = $2 where id = $1 and not "emailVerified"`,
)
const update = statement(
  'update_console_user',
  `update auth."user"
  set name = coalesce($2, name), language = coalesce($3, language), "updatedAt" = $4
  where id = $1`,
)

const selectSession = statement(
  'select_console_session',
  `select id, "userId" as user_id
  from auth.session
  where token = $1 and "expiresAt" > $2`,
)
const selectSessions = statement(
  'select_console_sessions',
  `select id, "createdAt" as created_at, "updatedAt" as updated_at, "expiresAt" as expires_at, "userAgent" as user_agent, "ipAddress" as address
  from auth.session
  where "userId" = $1 and "expiresAt" > $2
  order by "updatedAt" desc, id
  limit $3`,
)
const deleteSession = statement('delete_console_session', `delete from auth.session where "userId" = $1 and id = $2 returning id`)
const deleteSessions = statement('delete_console_sessions', `delete from auth.session where "userId" = $1`)
const deleteOtherSessions = statement('delete_other_console_sessions', `delete from auth.session where "userId" = $1 and id <> $2`)

const selectNames = statement('select_user_names', `select id, name from auth."user" where id = any($1::uuid[])`)

const clearTwoFactor = statement('clear_two_factor', `update auth."user" set "twoFactorEnabled" = false, "updatedAt" = $2 where id = $1`)
const deleteTwoFactor = statement('delete_two_factor', `delete from auth."twoFactor" where "userId" = $1`)
const deleteTrustedDevices = statement(
  'delete_trusted_devices',
  `delete from auth.verification where value = $1 and identifier like 'trust-device-%'`,
)

const deleteExpiredSessions = statement(
  'delete_expired_console_sessions',
  `delete from auth.session where id = any(array(select id from auth.session where "expiresAt" < $1 limit $2)) returning 1`,
)
const deleteExpiredChallenges = statement(
  'delete_expired_challenges',
  `delete from auth.verification where id = any(array(select id from auth.verification where "expiresAt" < $1 limit $2)) returning 1`,
)

/** Null for one who is not there. */
export async function findUser(queries: Queries, id: Uuid): Promise<User | null> {
  const [row] = await queries.run<UserRow>(selectUser, [id])
  if (row === undefined) return null
  const { two_factor: hasTwoFactor, has_password: hasPassword, verified: emailVerified, ...rest } = row
  return { ...rest, hasTwoFactor, hasPassword, emailVerified }
}

/** How these users are called, by id; those who are not there are missing. */
export async function namesOf(queries: Queries, ids: readonly Uuid[]): Promise<Map<Uuid, string>> {
  const rows = await queries.run<{ id: Uuid; name: string }>(selectNames, [ids])
  return new Map(rows.map((row) => [row.id, row.name]))
}

/** The e-mail in lower case. */
export async function findUserIdByEmail(queries: Queries, email: string): Promise<Uuid | null> {
  const [row] = await queries.run<{ id: Uuid }>(selectUserByEmail, [email])
  return row?.id ?? null
}

/** False when somebody has this e-mail already; then nothing is written. */
export async function insertUser(tx: Tx, user: NewUser, now: Date): Promise<boolean> {
  return (await tx.run(insert, [user.id, user.name, user.email, now, user.emailVerified])).length > 0
}

type NewUser = Pick<User, 'id' | 'name' | 'email' | 'emailVerified'>

/** From now on the address is theirs. */
export async function setEmailVerified(queries: Queries, id: Uuid, now: Date): Promise<void> {
  await queries.run(setVerified, [id, now])
}

/** No password, no second factor, no session. */
export async function removeWaysIn(tx: Tx, userId: Uuid, now: Date): Promise<void> {
  await tx.run(deletePassword, [userId])
  await removeTwoFactor(tx, userId, now)
  await tx.run(deleteSessions, [userId])
}

/** For a user without a password. `id` is the row's own. */
export async function insertPasswordHash(tx: Tx, { id, userId, hash }: { id: Uuid; userId: Uuid; hash: string }, now: Date): Promise<void> {
  await tx.run(insertPassword, [id, userId, hash, now])
}

/** What is null stays as it is. */
export async function updateUser(
  queries: Queries,
  { id, name, language }: { id: Uuid; name: string | null; language: Language | null },
  now: Date,
): Promise<void> {
  await queries.run(update, [id, name, language, now])
}

/** Null: there is none with this token, or it has expired. */
export async function findSession(queries: Queries, token: string, now: Date): Promise<{ id: Uuid; userId: Uuid } | null> {
  const [row] = await queries.run<{ id: Uuid; user_id: Uuid }>(selectSession, [token, now])
  return row === undefined ? null : { id: row.id, userId: row.user_id }
}

const sessionsListedMax = 200

/** Those that are open, the one used last first. */
export async function listSessionsOf(queries: Queries, userId: Uuid, now: Date): Promise<Session[]> {
  const rows = await queries.run<{
    id: Uuid
    created_at: Date
    updated_at: Date
    expires_at: Date
    user_agent: string | null
    address: string | null
  }>(selectSessions, [userId, now, sessionsListedMax])
  return rows.map((row) => ({
    id: row.id,
    createdAt: row.created_at,
    renewedAt: row.updated_at,
    expiresAt: row.expires_at,
    userAgent: row.user_agent ?? '',
    address: row.address ?? '',
  }))
}

/** False: the user has no such session. */
export async function removeSession(queries: Queries, userId: Uuid, id: Uuid): Promise<boolean> {
  return (await queries.run(deleteSession, [userId, id])).length > 0
}

export async function removeOtherSessions(queries: Queries, userId: Uuid, kept: Uuid): Promise<void> {
  await queries.run(deleteOtherSessions, [userId, kept])
}

/** No second factor, no backup codes, and no device that was trusted with one. */
export async function removeTwoFactor(tx: Tx, userId: Uuid, now: Date): Promise<void> {
  await tx.run(clearTwoFactor, [userId, now])
  await tx.run(deleteTwoFactor, [userId])
  await tx.run(deleteTrustedDevices, [userId])
}

/** Removes sessions whose time is over, at most `most`, and returns how many. */
export async function removeExpiredSessions(queries: Queries, now: Date, most: number): Promise<number> {
  return (await queries.run(deleteExpiredSessions, [now, most])).length
}

/** The same of challenges. */
export async function removeExpiredChallenges(queries: Queries, now: Date, most: number): Promise<number> {
  return (await queries.run(deleteExpiredChallenges, [now, most])).length
}
