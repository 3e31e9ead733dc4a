import type { Uuid } from '../../base/id.ts'
import type { Queries, Tx } from '../../platform/database/database.ts'
import { statement } from '../../platform/database/statement.ts'
import type { Member, MemberShown, Role } from './member.ts'

type MemberRow = { account_id: Uuid; user_id: Uuid; role: Role; created_at: Date }
type ShownRow = MemberRow & { email: string; name: string; two_factor: boolean; verified: boolean }

const insert = statement(
  'insert_member',
  `insert into member (account_id, user_id, role, created_at)
  values ($1, $2, $3, $4)
  on conflict do nothing
  returning account_id`,
)
// On the path of every call of the console.
const selectRole = statement('select_role', 'select role from member where account_id = $1 and user_id = $2')
// For update: whoever assigns work to them waits, or is waited for.
const lockRole = statement('lock_role', 'select role from member where account_id = $1 and user_id = $2 for update')
const holdRole = statement('hold_role', 'select role from member where account_id = $1 and user_id = $2 for share')
const selectAmong = statement(
  'select_members_among',
  `select asked.ord::integer as ord
  from unnest($1::uuid[], $2::uuid[]) with ordinality as asked (account_id, user_id, ord)
  join member on member.account_id = asked.account_id and member.user_id = asked.user_id`,
)
const selectOfUser = statement(
  'select_memberships_of_user',
  `select account_id, user_id, role, created_at
  from member
  where user_id = $1
  order by account_id
  limit $2`,
)
const selectShown = statement(
  'select_members',
  `select m.account_id, m.user_id, m.role, m.created_at, u.email, u.name, coalesce(u."twoFactorEnabled", false) as two_factor, u."emailVerified" as verified
  from member m
  join auth."user" u on u.id = m.user_id
  where m.account_id = $1
  order by m.created_at, m.user_id
  limit $2`,
)
const selectAll = statement(
  'select_members_of_all_accounts',
  `select m.account_id, m.user_id, m.role, m.created_at, u.email, u.name, coalesce(u."twoFactorEnabled", false) as two_factor, u."emailVerified" as verified
  from member m
  join auth."user" u on u.id = m.user_id
  order by m.account_id, m.created_at, m.user_id
  limit $1`,
)
const selectOwners = statement(
  'select_owners',
  `select u.email, coalesce(u.language, 'pt-BR') as language
  from member m join auth."user" u on u.id = m.user_id
  where m.account_id = $1 and m.role = 'owner'
  order by m.created_at
  limit $2`,
)
const countOwners = statement('count_owners', `select count(*) as count from member where account_id = $1 and role = 'owner'`)
const setRole = statement('set_role', 'update member set role = $3 where account_id = $1 and user_id = $2')
const remove = statement('delete_member', 'delete from member where account_id = $1 and user_id = $2')

/** More accounts than anybody has to do with. */
const membershipsMax = 500
const membersListedMax = 1_000
const allListedMax = 10_000

/** False when they belong to the account already; then their role stays. */
export async function insertMember(tx: Tx, { accountId, userId, role, createdAt }: Member): Promise<boolean> {
  return (await tx.run(insert, [accountId, userId, role, createdAt])).length > 0
}

/** Null: they do not belong to the account. */
export async function findRole(queries: Queries, accountId: Uuid, userId: Uuid): Promise<Role | null> {
  const [row] = await queries.run<{ role: Role }>(selectRole, [accountId, userId])
  return row?.role ?? null
}

/** The same, locked until commit: the role is about to change. */
export async function lockMember(tx: Tx, accountId: Uuid, userId: Uuid): Promise<Role | null> {
  const [row] = await tx.run<{ role: Role }>(lockRole, [accountId, userId])
  return row?.role ?? null
}

/** The same; it stays as it is until commit. */
export async function holdMember(tx: Tx, accountId: Uuid, userId: Uuid): Promise<Role | null> {
  const [row] = await tx.run<{ role: Role }>(holdRole, [accountId, userId])
  return row?.role ?? null
}

/** Says of each, in the order asked, whether they belong to the account. */
export async function membersAmong(queries: Queries, asked: readonly { accountId: Uuid; userId: Uuid }[]): Promise<boolean[]> {
  const rows = await queries.run<{ ord: number }>(selectAmong, [asked.map((each) => each.accountId), asked.map((each) => each.userId)])
  const found = new Set(rows.map((row) => row.ord))
  return asked.map((_each, i) => found.has(i + 1))
}

export async function membershipsOf(queries: Queries, userId: Uuid): Promise<Member[]> {
  return (await queries.run<MemberRow>(selectOfUser, [userId, membershipsMax])).map(memberOf)
}

/** In the order in which they came. */
export async function listMembersOf(queries: Queries, accountId: Uuid): Promise<MemberShown[]> {
  return (await queries.run<ShownRow>(selectShown, [accountId, membersListedMax])).map(shownOf)
}

/** Of all accounts, for the operator. */
export async function listAllMembers(queries: Queries): Promise<MemberShown[]> {
  return (await queries.run<ShownRow>(selectAll, [allListedMax])).map(shownOf)
}

/** Exact only while the account's row is locked. */
export async function countOwnersOf(tx: Tx, accountId: Uuid): Promise<number> {
  const [row] = await tx.run<{ count: number }>(countOwners, [accountId])
  return row?.count ?? 0
}

export async function updateRole(tx: Tx, accountId: Uuid, userId: Uuid, role: Role): Promise<void> {
  await tx.run(setRole, [accountId, userId, role])
}

export async function deleteMember(tx: Tx, accountId: Uuid, userId: Uuid): Promise<void> {
  await tx.run(remove, [accountId, userId])
}

function memberOf(row: MemberRow): Member {
  return { accountId: row.account_id, userId: row.user_id, role: row.role, createdAt: row.created_at }
}

function shownOf(row: ShownRow): MemberShown {
  return { ...memberOf(row), email: row.email, name: row.name, hasTwoFactor: row.two_factor, emailVerified: row.verified }
}

/** Whom an account's alerts are mailed to; Portuguese where no language was chosen. */
export function ownersOf(queries: Queries, accountId: Uuid): Promise<{ email: string; language: string }[]> {
  return queries.run(selectOwners, [accountId, membersListedMax])
}
