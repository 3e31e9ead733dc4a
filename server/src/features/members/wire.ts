import { type Static, Type } from 'typebox'
import { formatId, type Uuid } from '../../base/id.ts'
import type { ReasonCode } from '../../base/reasons.ts'
import { limits } from '../../limits.ts'
import {
  type AuditEntryShown,
  type Invitation,
  type Language,
  languages,
  type MemberShown,
  type Role,
  roles,
  type Session,
  type User,
} from './member.ts'

const role = Type.Unsafe<Role>({ type: 'string', enum: [...roles] })
const language = Type.Unsafe<Language>({ type: 'string', enum: [...languages] })
const moment = Type.String({ examples: ['2026-11-27T21:11:41.747Z'] })

const strict = { additionalProperties: false }
const email = Type.String({ minLength: 3, maxLength: 254, examples: ['ana@example.com'] })
/** What somebody gives as a password that is to be: long enough. One that is to be compared is any text. */
const newPassword = Type.String({ minLength: limits.passwordCharsMin, maxLength: limits.passwordCharsMax })
const givenPassword = Type.String({ minLength: 1, maxLength: limits.passwordCharsMax })
const token = Type.String({ minLength: 20, maxLength: 100 })
const code = Type.String({ minLength: 6, maxLength: 20, description: 'Six digits of the app, or a backup code.', examples: ['123456'] })
const name = Type.String({
  minLength: 1,
  maxLength: limits.personNameCharsMax,
  pattern: '\\S',
  'x-expected': 'a name that is not blank',
  'x-reason': 'blank' satisfies ReasonCode,
})

export const signInBody = Type.Object({ email, password: givenPassword }, strict)
export const secondFactorBody = Type.Object(
  { code, is_backup: Type.Optional(Type.Boolean()), trust_device: Type.Optional(Type.Boolean()) },
  strict,
)
export const requestLinkBody = Type.Object({ email }, strict)
export const openLinkBody = Type.Object({ token, code: Type.Optional(code) }, strict)
export const updateMeBody = Type.Object({ name: Type.Optional(name), language: Type.Optional(language) }, { ...strict, minProperties: 1 })
export const passwordBody = Type.Object({ current_password: Type.Optional(givenPassword), new_password: newPassword }, strict)
export const startTwoFactorBody = Type.Object({ password: Type.Optional(givenPassword) }, strict)
export const codeBody = Type.Object({ code }, strict)
export const roleBody = Type.Object({ role }, strict)
export const inviteBody = Type.Object({ email, role }, strict)
export const lookBody = Type.Object({ token }, strict)
export const acceptBody = Type.Object({ token, name: Type.Optional(name), password: Type.Optional(newPassword) }, strict)

export const signedInSchema = Type.Object(
  { second_factor: Type.Boolean({ description: 'Nobody has signed in yet: a code of the second factor is asked for.' }) },
  { $id: 'SignedIn' },
)
export const linkRequestedSchema = Type.Object(
  { mailed: Type.Boolean({ description: 'Whether mail is set up at all; without it the operator hands links over.' }) },
  { $id: 'LinkRequested' },
)
export const factsSchema = Type.Object({ mail: Type.Boolean({ description: 'Whether mail is set up.' }) }, { $id: 'Facts' })
export const doneSchema = Type.Object({ done: Type.Literal(true) }, { $id: 'Done' })

export const userSchema = Type.Object(
  {
    id: Type.String({ examples: ['usr_0192f0c1a2b37c4d8e9fa0b1c2d3e4f5'] }),
    object: Type.Literal('user'),
    email: Type.String(),
    name: Type.String(),
    language: Type.Union([language, Type.Null()]),
    two_factor: Type.Boolean(),
    has_password: Type.Boolean(),
  },
  { $id: 'ConsoleUser' },
)
export const meSchema = Type.Object(
  {
    user: Type.Unsafe<Static<typeof userSchema>>({ $ref: 'ConsoleUser#' }),
    accounts: Type.Array(
      Type.Object({
        id: Type.String({ examples: ['acc_0192f0c1a2b37c4d8e9fa0b1c2d3e4f5'] }),
        name: Type.String(),
        role,
        scopes: Type.Union([Type.Array(Type.String()), Type.Null()], { description: 'What the role may do; null: everything.' }),
        suspended: Type.Boolean(),
      }),
    ),
  },
  { $id: 'Me' },
)
export const sessionSchema = Type.Object(
  {
    id: Type.String({ examples: ['ses_0192f0c1a2b37c4d8e9fa0b1c2d3e4f5'] }),
    object: Type.Literal('session'),
    created_at: moment,
    last_seen_at: Type.String({ description: 'To the hour.', examples: ['2026-11-27T21:11:41.747Z'] }),
    expires_at: moment,
    user_agent: Type.String(),
    address: Type.String({ description: 'Of a network of IPv6, its first 64 bits.' }),
    is_current: Type.Boolean({ description: 'The session that asks.' }),
  },
  { $id: 'ConsoleSession' },
)
export const twoFactorSchema = Type.Object(
  {
    totp_uri: Type.String({ description: 'For the QR code that an authenticator app reads.' }),
    secret: Type.String({ description: 'The same by hand, in Base32.' }),
    backup_codes: Type.Array(Type.String(), { description: 'Each stands in for a code of the app once. Shown only now.' }),
  },
  { $id: 'TwoFactorStarted' },
)
export const memberSchema = Type.Object(
  {
    user_id: Type.String({ examples: ['usr_0192f0c1a2b37c4d8e9fa0b1c2d3e4f5'] }),
    object: Type.Literal('member'),
    email: Type.String(),
    name: Type.String(),
    role,
    two_factor: Type.Boolean(),
    created_at: moment,
  },
  { $id: 'Member' },
)
export const invitationSchema = Type.Object(
  {
    id: Type.String({ examples: ['inv_0192f0c1a2b37c4d8e9fa0b1c2d3e4f5'] }),
    object: Type.Literal('invitation'),
    email: Type.String(),
    role,
    invited_by: Type.Union([Type.String(), Type.Null()], { description: 'A user; null: the operator.' }),
    created_at: moment,
    expires_at: moment,
  },
  { $id: 'Invitation' },
)
export const invitationMadeSchema = Type.Object(
  {
    invitation: Type.Unsafe<Static<typeof invitationSchema>>({ $ref: 'Invitation#' }),
    link: Type.Union([Type.String(), Type.Null()], {
      description: 'Whoever has it may accept the invitation. Shown only now, and only where it was not mailed.',
    }),
    mailed: Type.Boolean({ description: 'Whether it was mailed to the address.' }),
  },
  { $id: 'InvitationMade' },
)
export const invitationLookSchema = Type.Object(
  {
    account_name: Type.String(),
    email: Type.String(),
    role,
    is_known: Type.Boolean({ description: 'Somebody with this address signs in here already, and must sign in to accept.' }),
  },
  { $id: 'InvitationShown' },
)
export const joinedSchema = Type.Object({ account_id: Type.String() }, { $id: 'Joined' })
export const auditEntrySchema = Type.Object(
  {
    id: Type.String({ examples: ['aud_0192f0c1a2b37c4d8e9fa0b1c2d3e4f5'] }),
    object: Type.Literal('audit_entry'),
    at: moment,
    user: Type.Object({
      id: Type.String(),
      email: Type.Union([Type.String(), Type.Null()]),
      name: Type.Union([Type.String(), Type.Null()], { description: 'As they are called today; null: no longer known.' }),
    }),
    operation: Type.String({ description: 'What was called, such as revokeApiKey.' }),
    targets: Type.Record(Type.String(), Type.String(), { description: 'The ids in its path.' }),
    address: Type.String({ description: 'The network address.' }),
    failed: Type.Boolean({ description: 'True: it was tried and did not come about.' }),
    about: Type.Record(Type.String(), Type.String(), { description: 'The names that it was about, as they were then.' }),
  },
  { $id: 'AuditEntry' },
)

export function userJson(user: User): Static<typeof userSchema> {
  return {
    id: formatId('usr', user.id),
    object: 'user',
    email: user.email,
    name: user.name,
    language: user.language,
    two_factor: user.hasTwoFactor,
    has_password: user.hasPassword,
  }
}

/** Never with its token. */
export function sessionJson(session: Session, current: Uuid): Static<typeof sessionSchema> {
  return {
    id: formatId('ses', session.id),
    object: 'session',
    created_at: session.createdAt.toISOString(),
    last_seen_at: session.renewedAt.toISOString(),
    expires_at: session.expiresAt.toISOString(),
    user_agent: session.userAgent,
    address: session.address,
    is_current: session.id === current,
  }
}

export function memberJson(member: MemberShown): Static<typeof memberSchema> {
  return {
    user_id: formatId('usr', member.userId),
    object: 'member',
    email: member.email,
    name: member.name,
    role: member.role,
    two_factor: member.hasTwoFactor,
    created_at: member.createdAt.toISOString(),
  }
}

export function invitationJson(invitation: Invitation): Static<typeof invitationSchema> {
  return {
    id: formatId('inv', invitation.id),
    object: 'invitation',
    email: invitation.email,
    role: invitation.role,
    invited_by: invitation.invitedBy === null ? null : formatId('usr', invitation.invitedBy),
    created_at: invitation.createdAt.toISOString(),
    expires_at: invitation.expiresAt.toISOString(),
  }
}

export function auditEntryJson(entry: AuditEntryShown, at: Date): Static<typeof auditEntrySchema> {
  const { userId, email: address, name: called } = entry
  return {
    id: formatId('aud', entry.id),
    object: 'audit_entry',
    at: at.toISOString(),
    user: { id: formatId('usr', userId), email: address, name: called },
    operation: entry.operation,
    targets: entry.targets,
    address: entry.address,
    failed: entry.failed,
    about: entry.about,
  }
}
