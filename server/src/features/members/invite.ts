import { present } from '../../base/assert.ts'
import type { Email } from '../../base/email.ts'
import { formatId, newUuid, type Uuid } from '../../base/id.ts'
import { because, invalidField, type Refusal, refusal } from '../../base/refusal.ts'
import { ok, type Result, refused } from '../../base/result.ts'
import { limits } from '../../limits.ts'
import type { Tx } from '../../platform/database/database.ts'
import { findAccount, lockAccount } from '../accounts/public.ts'
import { insertAuditEntry } from './audit-store.ts'
import type { Asker } from './auth.ts'
import type { MembersDeps } from './deps.ts'
import {
  acceptInvitationRow,
  countOtherInvitations,
  findInvitation,
  insertInvitation,
  listOpenInvitations,
  revokeInvitationById,
  revokeInvitationsOf,
  setInvitationMailed,
} from './invitation-store.ts'
import { invitationMail } from './mails.ts'
import type { Invitation, Role } from './member.ts'
import { wrongPassword } from './refusals.ts'
import { invitationRefusal } from './rules.ts'
import { findRole, insertMember } from './store.ts'
import { hashOfToken, invitationLink, newToken } from './token.ts'
import { findUser, findUserIdByEmail, insertPasswordHash, insertUser, setEmailVerified } from './user-store.ts'

/** `link` is null where it was mailed. */
type Made = { invitation: Invitation; link: string | null; mailed: boolean }

const invitationIsOver = refusal(
  'not_found',
  because('invitation_over', 'This invitation is not valid: it was used or taken back, or has expired. Ask for a new one.'),
)

/**
 * Invites whoever has this address. The link goes by mail where that is set up, and then nowhere else: so only who reads the mail becomes
 * known under the address, and nobody makes up a person for somebody else. Where it was not mailed it is returned, to be handed over, and
 * whom it makes has not shown that the mailbox is theirs. A newer invitation replaces an older one.
 */
export async function inviteMember(
  deps: MembersDeps,
  input: { accountId: Uuid; actorId: Uuid; email: Email; role: Role },
): Promise<Result<Made, Refusal>> {
  const token = newToken()
  const made = await deps.database.transaction((tx) => writeInvitation(deps, tx, { ...input, tokenHash: hashOfToken(token) }))
  if (!made.ok) return made
  const link = invitationLink(deps.publicUrl, token)
  const mailed = await mailInvitation(deps, made.value, link)
  if (mailed) await setInvitationMailed(deps.database, made.value)
  return ok({ invitation: made.value, link: mailed ? null : link, mailed })
}

async function writeInvitation(
  { clock }: MembersDeps,
  tx: Tx,
  { accountId, actorId, email, role, tokenHash }: { accountId: Uuid; actorId: Uuid; email: string; role: Role; tokenHash: Buffer },
): Promise<Result<Invitation, Refusal>> {
  const now = clock.now()
  await lockAccount(tx, accountId)
  const actor = await findRole(tx, accountId, actorId)
  const reason =
    actor === null
      ? refusal('forbidden', because('no_longer_member', 'You are no longer a member of this account.'))
      : invitationRefusal(actor, role)
  if (reason !== null) return refused(reason)
  const known = await findUserIdByEmail(tx, email)
  if (known !== null && (await findRole(tx, accountId, known)) !== null)
    return refused(refusal('conflict', because('member_already', 'This person is a member of the account already.')))
  if ((await countOtherInvitations(tx, { accountId, email, now })) >= limits.openInvitationsMax)
    return refused(
      refusal(
        'conflict',
        because('invitations_full', `An account has at most ${limits.openInvitationsMax} open invitations: take some back first.`, {
          max: limits.openInvitationsMax,
        }),
      ),
    )
  await revokeInvitationsOf(tx, accountId, email, now)
  const expiresAt = new Date(now.getTime() + limits.invitationMs)
  const invitation: Invitation = { accountId, id: newUuid(now), email, role, invitedBy: actorId, createdAt: now, expiresAt, mailed: false }
  await insertInvitation(tx, invitation, tokenHash)
  return ok(invitation)
}

/** In the language of whoever is invited, or else of whoever invites. */
async function mailInvitation(deps: MembersDeps, { accountId, email, role, invitedBy }: Invitation, link: string): Promise<boolean> {
  if (!deps.hasMail) return false
  const { database } = deps
  const [account, inviter, invitedId] = [
    await findAccount(database, accountId),
    invitedBy === null ? null : await findUser(database, invitedBy),
    await findUserIdByEmail(database, email),
  ]
  const invited = invitedId === null ? null : await findUser(database, invitedId)
  const words = { accountName: account?.name ?? '', role, invitedBy: inviter?.name ?? 'Pombo', link }
  return deps.sendMail({ by: 'member', to: email, ...invitationMail(invited?.language ?? inviter?.language ?? null, words) })
}

/** Those that can still be accepted, the newest first. */
export async function listInvitations(
  { database, clock }: Pick<MembersDeps, 'database' | 'clock'>,
  accountId: Uuid,
): Promise<Invitation[]> {
  return listOpenInvitations(database, accountId, clock.now(), limits.openInvitationsMax)
}

/** From now on its link is worth nothing. Returns whom it had invited as what. */
export async function revokeInvitation(
  { database, clock }: Pick<MembersDeps, 'database' | 'clock'>,
  { accountId, id }: { accountId: Uuid; id: Uuid },
): Promise<Result<{ email: string; role: Role }, Refusal>> {
  const revoked = await revokeInvitationById(database, accountId, id, clock.now())
  return revoked === null
    ? refused(refusal('not_found', because('no_invitation', 'The account has no open invitation with this id.')))
    : ok(revoked)
}

export type InvitationShown = { accountName: string; email: string; role: Role; isKnown: boolean }

/** What somebody who has its token is invited to. */
export async function lookAtInvitation(
  { database, clock }: Pick<MembersDeps, 'database' | 'clock'>,
  token: string,
): Promise<Result<InvitationShown, Refusal>> {
  const invitation = await findInvitation(database, hashOfToken(token), clock.now())
  const account = invitation === null ? null : await findAccount(database, invitation.accountId)
  if (invitation === null || account === null) return refused(invitationIsOver)
  const isKnown = (await findUserIdByEmail(database, invitation.email)) !== null
  return ok({ accountName: account.name, email: invitation.email, role: invitation.role, isKnown })
}

type Accepting = {
  token: string
  name: string | null
  password: string | null
  /** Who is signed in where the link was opened. */
  signedInAs: Uuid | null
}

/**
 * Makes whoever has the token a member. Somebody new gives a name and a password, and is signed in; somebody known must be signed in with
 * the address that was invited: whoever has a mail must not get at what its owner has.
 */
export async function acceptInvitation(
  deps: MembersDeps,
  asker: Asker,
  { token, name, password, signedInAs }: Accepting,
): Promise<Result<{ accountId: Uuid; cookies: readonly string[] }, Refusal>> {
  const { database, clock } = deps
  const now = clock.now()
  const invitation = await findInvitation(database, hashOfToken(token), now)
  if (invitation === null) return refused(invitationIsOver)
  const known = await findUserIdByEmail(database, invitation.email)
  if (known !== null && known !== signedInAs) return refused(otherAddress)
  if (known !== null) return joined(await join(deps, asker, invitation, known, null), [])

  const wrong = wrongNewPerson(name, password)
  if (wrong !== null) return refused(wrong)
  const auth = await deps.auth()
  const hash = await auth.hashPassword(asker, present(password, 'it was looked at'))
  const userId = newUuid(now)
  const made = await join(deps, asker, invitation, userId, { name: present(name, 'it was looked at').trim(), hash })
  if (!made.ok) return made
  const opened = await auth.openSession(asker, userId)
  return joined(made, opened.ok ? opened.cookies : [])
}

const otherAddress = refusal(
  'unauthorized',
  because('sign_in_first', 'Somebody with this e-mail address signs in here already: sign in with it, then accept the invitation.'),
)

function wrongNewPerson(name: string | null, password: string | null): Refusal | null {
  if (name === null || name.trim() === '') return invalidField('name', because('blank', 'A name is needed.'))
  if (password === null) return invalidField('password', because('blank', 'A password is needed.'))
  return wrongPassword('password', password)
}

function joined(made: Result<Uuid, Refusal>, cookies: readonly string[]): Result<{ accountId: Uuid; cookies: readonly string[] }, Refusal> {
  return made.ok ? ok({ accountId: made.value, cookies }) : made
}

/** The user where they are new, the membership and the line in the audit log commit together, once. */
async function join(
  { database, clock }: MembersDeps,
  { address }: Asker,
  invitation: Invitation,
  userId: Uuid,
  newPerson: { name: string; hash: string } | null,
): Promise<Result<Uuid, Refusal>> {
  const { accountId, id, email, role, mailed } = invitation
  const now = clock.now()
  return database
    .transaction(async (tx) => {
      if (!(await acceptInvitationRow(tx, invitation, now))) return refused(invitationIsOver)
      if (newPerson !== null) {
        // Somebody became known under this address meanwhile, by another account's invitation: then they sign in first. A refusal here
        // must undo what was written, so it is thrown through the transaction.
        if (!(await insertUser(tx, { id: userId, name: newPerson.name, email, emailVerified: mailed }, now))) throw new BecameKnown()
        await insertPasswordHash(tx, { id: newUuid(now), userId, hash: newPerson.hash }, now)
      } else if (mailed) await setEmailVerified(tx, userId, now)
      await insertMember(tx, { accountId, userId, role, createdAt: now })
      await insertAuditEntry(tx, {
        accountId,
        id: newUuid(now),
        userId,
        operation: 'acceptInvitation',
        targets: { id: formatId('inv', id) },
        address,
        failed: false,
        about: { email, role },
      })
      return ok(accountId)
    })
    .catch((error: unknown) => {
      if (error instanceof BecameKnown) return refused(otherAddress)
      throw error
    })
}

class BecameKnown extends Error {}
