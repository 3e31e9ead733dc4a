import type { Uuid } from '../../base/id.ts'
import { because, type Refusal, refusal } from '../../base/refusal.ts'
import { type Role, roles } from './member.ts'

const viewerScopes = ['messages:read', 'templates:read', 'channels:read', 'usage:read'] as const
const agentScopes = [...viewerScopes, 'messages:send', 'media:write', 'opt_outs:write', 'inbox:write'] as const

const scopesOfRoles: Readonly<Record<Role, readonly string[] | null>> = {
  owner: null,
  admin: null,
  agent: agentScopes,
  viewer: viewerScopes,
}

/** What somebody of this role may do; null: everything. */
export const scopesOf = (role: Role): readonly string[] | null => scopesOfRoles[role]

/** Whether somebody of this role answers people, and so may have conversations of their own. */
export const mayWork = (role: Role): boolean => scopesOf(role)?.includes('inbox:write') ?? true

/** Who says what is to become of whom, and how many owners the account has, all read under its lock. */
export type Change = {
  actor: { userId: Uuid; role: Role }
  target: { userId: Uuid; role: Role }
  owners: number
}

/** Why a member's role is not changed to this one; null: it is. */
export function changeRoleRefusal({ actor, target, owners }: Change, to: Role): Refusal | null {
  if (actor.userId === target.userId)
    return refusal('forbidden', because('own_role', 'Nobody changes their own role: another owner or administrator does.'))
  if (!mayManage(actor.role)) return manages
  if ((target.role === 'owner' || to === 'owner') && actor.role !== 'owner') return owns
  return target.role === 'owner' && to !== 'owner' && owners <= 1 ? lastOwner : null
}

/** Why a member stays; null: they go. Everybody may go themselves. */
export function removalRefusal({ actor, target, owners }: Change): Refusal | null {
  const goesThemselves = actor.userId === target.userId
  if (!goesThemselves && !mayManage(actor.role)) return manages
  if (!goesThemselves && target.role === 'owner' && actor.role !== 'owner') return owns
  return target.role === 'owner' && owners <= 1 ? lastOwner : null
}

/** Why nobody is invited in this role; null: they are. */
export function invitationRefusal(actor: Role, role: Role): Refusal | null {
  if (!mayManage(actor)) return manages
  return role === 'owner' && actor !== 'owner' ? owns : null
}

/** Which invitations a member must not have open in this role; null: they are in the account no longer. */
export const rolesNotInvited = (actor: Role | null): Role[] =>
  roles.filter((role) => actor === null || invitationRefusal(actor, role) !== null)

const mayManage = (role: Role): boolean => scopesOf(role)?.includes('members:write') ?? true

const manages = refusal('forbidden', because('role_lacks', 'Your role lacks the right members:write.', { scope: 'members:write' }))
const owns = refusal('forbidden', because('owners_only', 'Only an owner makes somebody an owner, or takes that away.'))

/** An account without an owner could never have one again. */
export const lastOwner = refusal(
  'conflict',
  because('last_owner', 'An account keeps at least one owner: make somebody else an owner first.'),
)
