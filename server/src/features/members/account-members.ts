import type { Clock } from '../../base/clock.ts'
import { parseEmail } from '../../base/email.ts'
import { newUuid, type Uuid } from '../../base/id.ts'
import { because, invalidField, type Refusal, refusal } from '../../base/refusal.ts'
import { ok, type Result, refused } from '../../base/result.ts'
import { limits } from '../../limits.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import { lockAccount } from '../accounts/public.ts'
import type { ReleaseWork } from './deps.ts'
import { revokeInvitationsBy, revokeInvitationsOf } from './invitation-store.ts'
import { startAfresh } from './link.ts'
import { isRole, type MemberShown, type Role, type User } from './member.ts'
import { type Change, changeRoleRefusal, lastOwner, mayWork, removalRefusal, rolesNotInvited } from './rules.ts'
import { countOwnersOf, deleteMember, findRole, insertMember, listAllMembers, listMembersOf, lockMember, updateRole } from './store.ts'
import { findUser, findUserIdByEmail, insertUser } from './user-store.ts'

type Deps = { database: Database; clock: Clock }
type LeaveDeps = Deps & { releaseWork: ReleaseWork }
type Asked = { accountId: Uuid; actorId: Uuid; userId: Uuid }

const noMember = refusal('not_found', because('no_member', 'The account has no member with this id.'))

/**
 * Makes a member something else. Decided under the account's lock, so that two owners cannot unmake each other at once. Their open
 * invitations that the new role could not make are taken back.
 */
export async function changeRole(deps: LeaveDeps, asked: Asked & { role: Role }): Promise<Result<null, Refusal>> {
  const { clock } = deps
  return inTurns(deps, async (tx) => {
    const change = await changeOf(tx, asked)
    if (change === null) return refused(noMember)
    const reason = changeRoleRefusal(change, asked.role)
    if (reason !== null) return refused(reason)
    if (!mayWork(asked.role) && (await deps.releaseWork(tx, { ...asked, now: clock.now() }))) return 'more'
    await updateRole(tx, asked.accountId, asked.userId, asked.role)
    await takeInvitationsBack(tx, asked, asked.role, clock.now())
    return ok(null)
  })
}

/** Takes somebody out of the account, and their open invitations back; at their very next call they are no longer in it. */
export async function removeMember(deps: LeaveDeps, asked: Asked): Promise<Result<null, Refusal>> {
  return inTurns(deps, async (tx) => {
    const change = await changeOf(tx, asked)
    if (change === null) return refused(noMember)
    const reason = removalRefusal(change)
    if (reason !== null) return refused(reason)
    return (await takeOut(deps, tx, asked)) ? ok(null) : 'more'
  })
}

/** A million conversations. */
const turnsMax = 1_000

/**
 * Repeats a change, each time in a transaction of its own, while there is more to free. The last one frees the rest and changes the member,
 * so that nobody is gone and still has work. Refused after 1,000 turns.
 */
async function inTurns<Value>(
  { database }: Deps,
  turn: (tx: Tx) => Promise<Result<Value, Refusal> | 'more'>,
): Promise<Result<Value, Refusal>> {
  for (let turns = 0; turns < turnsMax; turns += 1) {
    const done = await database.transaction(turn)
    if (done !== 'more') return done
  }
  return refused(
    refusal('conflict', because('changed_meanwhile', 'More was assigned to them meanwhile than could be taken back. Try again.')),
  )
}

/**
 * Frees what they worked on; false: there is more. No invitation leads back: neither one that they made, for whatever address, nor one for
 * their own.
 */
async function takeOut({ clock, releaseWork }: LeaveDeps, tx: Tx, { accountId, userId }: Omit<Asked, 'actorId'>): Promise<boolean> {
  const now = clock.now()
  if (await releaseWork(tx, { accountId, userId, now })) return false
  await deleteMember(tx, accountId, userId)
  await takeInvitationsBack(tx, { accountId, userId }, null, now)
  const user = await findUser(tx, userId)
  if (user !== null) await revokeInvitationsOf(tx, accountId, user.email, now)
  return true
}

/** Those that they made, and could not make in this role; null: all. */
function takeInvitationsBack(tx: Tx, { accountId, userId }: Omit<Asked, 'actorId'>, role: Role | null, now: Date): Promise<void> {
  return revokeInvitationsBy(tx, { accountId, userId, roles: rolesNotInvited(role), now })
}

/** Null: one of the two does not belong to the account. */
async function changeOf(tx: Tx, { accountId, actorId, userId }: Asked): Promise<Change | null> {
  await lockAccount(tx, accountId)
  const [actor, target, owners] = [
    await findRole(tx, accountId, actorId),
    await lockMember(tx, accountId, userId),
    await countOwnersOf(tx, accountId),
  ]
  if (actor === null || target === null) return null
  return { actor: { userId: actorId, role: actor }, target: { userId, role: target }, owners }
}

/**
 * Makes somebody a member, and known at all where they are not: the operator's way, without an invitation. The operator vouches for the
 * address. Who is a member already stays what they are. Refused: the address is of somebody who never showed that the mailbox is
 * theirs; with `reset` nothing but a new link signs them in.
 */
export async function addMember(
  { database, clock }: Deps,
  input: { accountId: Uuid; email: string; name: string | null; role: string; reset?: boolean },
): Promise<Result<{ user: User; role: Role; isNew: boolean }, Refusal>> {
  const email = parseEmail(input.email)
  const name = (input.name ?? email?.split('@')[0] ?? '').trim()
  if (email === null) return refused(invalidField('email', because('email_wrong', 'This is not an e-mail address.')))
  if (!isRole(input.role)) return refused(invalidField('role', 'The role is owner, admin, agent or viewer.'))
  if (name === '' || name.length > limits.personNameCharsMax)
    return refused(invalidField('name', `The name must have 1 to ${limits.personNameCharsMax} characters.`))
  const { accountId, role } = input as { accountId: Uuid; role: Role }
  const now = clock.now()
  return database.transaction(async (tx) => {
    if ((await lockAccount(tx, accountId)) === null)
      return refused(refusal('not_found', because('no_account', 'There is no account with this id.')))
    const isNew = await insertUser(tx, { id: newUuid(now), name, email, emailVerified: true }, now)
    const userId = await findUserIdByEmail(tx, email)
    const user = userId === null ? null : await findUser(tx, userId)
    if (user === null) throw new Error('bug: the user was written a moment ago')
    if (!user.emailVerified && input.reset !== true) return refused(unproved)
    if (!isNew && input.reset === true) await startAfresh(tx, user.id, now)
    await revokeInvitationsOf(tx, accountId, email, now)
    await insertMember(tx, { accountId, userId: user.id, role, createdAt: now })
    return ok({ user, role: (await findRole(tx, accountId, user.id)) ?? role, isNew })
  })
}

const unproved = refusal(
  'conflict',
  'Somebody with this e-mail address signs in here already, but never showed that the mailbox is theirs: whoever had the link of an invitation made them up. Their password would open this account. Let them sign in once with a link by mail, or give --reset: their password, second factor, sessions and links are then worth nothing, and only the new link signs in.',
)

/** The operator's way; the last owner stays also for them. */
export async function removeMemberByEmail(
  deps: LeaveDeps,
  input: { accountId: Uuid; email: string },
): Promise<Result<{ userId: Uuid }, Refusal>> {
  const { accountId } = input
  return inTurns(deps, async (tx) => {
    await lockAccount(tx, accountId)
    const userId = await findUserIdByEmail(tx, parseEmail(input.email) ?? '')
    const role = userId === null ? null : await lockMember(tx, accountId, userId)
    if (userId === null || role === null) return refused(refusal('not_found', 'The account has no member with this e-mail address.'))
    if (role === 'owner' && (await countOwnersOf(tx, accountId)) <= 1) return refused(lastOwner)
    return (await takeOut(deps, tx, { accountId, userId })) ? ok({ userId }) : 'more'
  })
}

/** Null: of all accounts, which only the operator may see. */
export async function listMembers(database: Database, accountId: Uuid | null): Promise<MemberShown[]> {
  return accountId === null ? listAllMembers(database) : listMembersOf(database, accountId)
}
