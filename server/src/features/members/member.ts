import type { Uuid } from '../../base/id.ts'

/** From the one who may do most to the one who may do least. */
export const roles = ['owner', 'admin', 'agent', 'viewer'] as const

/** What somebody is in an account, and so what they may do there. */
export type Role = (typeof roles)[number]

export const isRole = (text: string): text is Role => (roles as readonly string[]).includes(text)

export const languages = ['pt-BR', 'en'] as const
export type Language = (typeof languages)[number]

/** Somebody who may sign in to the console, whatever the account. The e-mail is in lower case. */
export type User = {
  id: Uuid
  email: string
  name: string
  /** Null: never chosen. */
  language: Language | null
  hasTwoFactor: boolean
  hasPassword: boolean
  /** The operator named the address, or a link that went out in a mail only was used. False: anybody may have made them up under it. */
  emailVerified: boolean
}

/** A user in an account. */
export type Member = { accountId: Uuid; userId: Uuid; role: Role; createdAt: Date }

/** A member as the others see them. */
export type MemberShown = Member & { email: string; name: string; hasTwoFactor: boolean; emailVerified: boolean }

/** Whoever has its token may join the account, once, in this role. */
export type Invitation = {
  accountId: Uuid
  id: Uuid
  email: string
  role: Role
  /** Null: the operator. */
  invitedBy: Uuid | null
  createdAt: Date
  expiresAt: Date
  /** Its link went out in a mail and nowhere else. */
  mailed: boolean
}

/** A browser in which somebody has signed in. */
export type Session = { id: Uuid; createdAt: Date; renewedAt: Date; expiresAt: Date; userAgent: string; address: string }

/** What somebody did in an account. */
export type AuditEntry = {
  accountId: Uuid
  id: Uuid
  userId: Uuid
  operation: string
  targets: Readonly<Record<string, string>>
  address: string
  /** True: it was tried and did not come about. */
  failed: boolean
  /** The names that it was about, as they were then. */
  about: Readonly<Record<string, string>>
}

/** Who did it, as they are called today; null where they are no longer known. */
export type AuditEntryShown = AuditEntry & { email: string | null; name: string | null }
