import type { Uuid } from '../../base/id.ts'

/** What a key may do beyond its mode. */
export const scopes = [
  'messages:send',
  'messages:read',
  'media:write',
  'templates:read',
  'templates:write',
  'channels:read',
  'webhooks:write',
  'opt_outs:write',
  'usage:read',
] as const

export type Scope = (typeof scopes)[number]

/** A key of a customer's system. The secret itself is shown once and never kept. */
export type ApiKey = {
  id: Uuid
  accountId: Uuid
  /** What the team calls it; null: nothing. */
  name: string | null
  /** The last four characters of its secret; null: it is older than this. */
  hint: string | null
  livemode: boolean
  /** null: all of them, also those of later versions. */
  scopes: readonly Scope[] | null
  createdAt: Date
  /** To the minute; null: never used. */
  lastUsedAt: Date | null
  /** null: active. */
  revokedAt: Date | null
}

/** Who is calling, as its key says. */
export type Caller = { accountId: Uuid; keyId: Uuid; livemode: boolean; scopes: readonly Scope[] | null }

export const isScope = (text: string): text is Scope => (scopes as readonly string[]).includes(text)
