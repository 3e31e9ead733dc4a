import type { Uuid } from '../../base/id.ts'
import type { Queries, Tx } from '../../platform/database/database.ts'
import { statement } from '../../platform/database/statement.ts'
import type { Invitation, Role } from './member.ts'

type InvitationRow = {
  account_id: Uuid
  id: Uuid
  email: string
  role: Role
  invited_by: Uuid | null
  created_at: Date
  expires_at: Date
  mailed: boolean
}

const insert = statement(
  'insert_invitation',
  `insert into invitation (account_id, id, email, role, token_hash, invited_by, created_at, expires_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8)`,
)
const revokeOfEmail = statement(
  'revoke_invitation_of_email',
  `update invitation
  set revoked_at = $3
  where account_id = $1 and email = $2 and accepted_at is null and revoked_at is null`,
)
const revoke = statement(
  'revoke_invitation',
  `update invitation
  set revoked_at = $3
  where account_id = $1 and id = $2 and accepted_at is null and revoked_at is null
  returning email, role`,
)
const revokeOfInviter = statement(
  'revoke_invitations_of_inviter',
  `update invitation
  set revoked_at = $4
  where account_id = $1 and invited_by = $2 and role = any($3::text[]) and accepted_at is null and revoked_at is null`,
)
const setMailed = statement('set_invitation_mailed', 'update invitation set mailed = true where account_id = $1 and id = $2')
const deleteExpired = statement(
  'delete_expired_invitations',
  `delete from invitation
  where ctid = any(array(select ctid from invitation where expires_at < $1 order by expires_at limit $2))
  returning id`,
)
const countOthers = statement(
  'count_other_invitations',
  `select count(*) as count
  from invitation
  where account_id = $1 and email <> $2 and accepted_at is null and revoked_at is null and expires_at > $3`,
)
const selectOpen = statement(
  'select_open_invitations',
  `select account_id, id, email, role, invited_by, created_at, expires_at, mailed
  from invitation
  where account_id = $1 and accepted_at is null and revoked_at is null and expires_at > $2
  order by id desc
  limit $3`,
)
const selectByToken = statement(
  'select_invitation_by_token',
  `select account_id, id, email, role, invited_by, created_at, expires_at, mailed
  from invitation
  where token_hash = $1 and accepted_at is null and revoked_at is null and expires_at > $2`,
)
const accept = statement(
  'accept_invitation',
  `update invitation
  set accepted_at = $3
  where account_id = $1 and id = $2 and accepted_at is null and revoked_at is null and expires_at > $3
  returning id`,
)

/** The one before for the same e-mail must have been revoked. */
export async function insertInvitation(tx: Tx, invitation: Invitation, tokenHash: Buffer): Promise<void> {
  const { accountId, id, email, role, invitedBy, createdAt, expiresAt } = invitation
  await tx.run(insert, [accountId, id, email, role, tokenHash, invitedBy, createdAt, expiresAt])
}

/** Those for this address. */
export async function revokeInvitationsOf(tx: Tx, accountId: Uuid, email: string, now: Date): Promise<void> {
  await tx.run(revokeOfEmail, [accountId, email, now])
}

/** Those that this person made, in these roles. */
export async function revokeInvitationsBy(
  tx: Tx,
  { accountId, userId, roles, now }: { accountId: Uuid; userId: Uuid; roles: readonly Role[]; now: Date },
): Promise<void> {
  await tx.run(revokeOfInviter, [accountId, userId, roles, now])
}

/** Its link went out in a mail, and is shown to nobody. */
export async function setInvitationMailed(queries: Queries, { accountId, id }: Invitation): Promise<void> {
  await queries.run(setMailed, [accountId, id])
}

/** Up to `most` of all accounts, accepted or not; returns how many. */
export async function removeExpiredInvitations(queries: Queries, now: Date, most: number): Promise<number> {
  return (await queries.run(deleteExpired, [now, most])).length
}

/** Returns whom it was for; null: the account has no such invitation that is open. */
export async function revokeInvitationById(
  queries: Queries,
  accountId: Uuid,
  id: Uuid,
  now: Date,
): Promise<{ email: string; role: Role } | null> {
  const [row] = await queries.run<{ email: string; role: Role }>(revoke, [accountId, id, now])
  return row ?? null
}

/** Of other addresses than this. Exact only while the account's row is locked. */
export async function countOtherInvitations(
  tx: Tx,
  { accountId, email, now }: { accountId: Uuid; email: string; now: Date },
): Promise<number> {
  const [row] = await tx.run<{ count: number }>(countOthers, [accountId, email, now])
  return row?.count ?? 0
}

/** The newest first. */
export async function listOpenInvitations(queries: Queries, accountId: Uuid, now: Date, limit: number): Promise<Invitation[]> {
  return (await queries.run<InvitationRow>(selectOpen, [accountId, now, limit])).map(invitationOf)
}

/** Null: there is none, or it was accepted, revoked, or has expired. */
export async function findInvitation(queries: Queries, tokenHash: Buffer, now: Date): Promise<Invitation | null> {
  const [row] = await queries.run<InvitationRow>(selectByToken, [tokenHash, now])
  return row === undefined ? null : invitationOf(row)
}

/** False when it is open no longer: of several at once one is true. */
export async function acceptInvitationRow(tx: Tx, { accountId, id }: Invitation, now: Date): Promise<boolean> {
  return (await tx.run(accept, [accountId, id, now])).length > 0
}

function invitationOf(row: InvitationRow): Invitation {
  return {
    accountId: row.account_id,
    id: row.id,
    email: row.email,
    role: row.role,
    invitedBy: row.invited_by,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    mailed: row.mailed,
  }
}
