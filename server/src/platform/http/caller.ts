import type { Uuid } from '../../base/id.ts'
import type { RefusalCode } from '../../base/refusal.ts'
import type { Deed } from './deed.ts'

/** Who is calling /v1, as their key says. */
export type KeyCaller = {
  accountId: Uuid
  keyId: Uuid
  /** False for a test key. */
  livemode: boolean
  /** What the key may do; null: everything. */
  scopes: readonly string[] | null
}

/** Who is at work in the console, in one of their accounts. */
export type MemberCaller = {
  accountId: Uuid
  /** No key: that is how an operation tells the team from the customer's system. */
  keyId: null
  userId: Uuid
  livemode: boolean
  /** What the role may do; null: everything. */
  scopes: readonly string[] | null
}

/** Who calls an operation on an account. */
export type Caller = KeyCaller | MemberCaller

/** Whether their key or role has this scope; null: every caller has. */
export const mayDo = ({ scopes }: Pick<Caller, 'scopes'>, scope: string | null): boolean =>
  scope === null || scopes === null || scopes.includes(scope)

/** Somebody who has signed in to the console, whatever the account. */
export type Person = { userId: Uuid; sessionId: Uuid }

/** What a route on an account asks of its callers. */
export type Access = {
  /** The scope that the key or the role must have; null: any. */
  scope: string | null
  /** Whether test keys may call it, and the console in test mode. */
  testKeys: boolean
  /** Its calls also count as uploads of their key (rule: media 4). */
  isUpload?: boolean
}

/**
 * Who may call a route: each under /v1 and under the console's accounts says `Access`, and those of the console beside its accounts
 * whether one must have signed in. A route without it fails at registration.
 */
export type Audience = Access | 'signed_in' | 'anybody'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who is calling. Only on routes of an account, where it is always known; anywhere else reading it is a bug and throws. */
    readonly caller: Caller
    /** The same on routes that only the console has. */
    readonly member: MemberCaller
    /** Who has signed in. On every route of the console but those for anybody; anywhere else reading it throws. */
    readonly person: Person
    /** As `caller`, or null before it is known and on routes of no account. */
    admitted: Caller | null
    /** What the handler says of the change that it made, for the audit log. */
    deed: Deed | null
    /** As `person`, or null. */
    signedIn: Person | null
    /** Whether everybody has this address: a proxy of which we were not told stands before us. */
    sharesAddress: boolean
    /** What the call was refused with; null: it was not. */
    refusedWith: RefusalCode | null
    /** The id of the message that the answer tells of, where a handler has named it; for the log of calls. */
    toldMessage: string | null
  }
  interface FastifyContextConfig {
    access?: Audience
    /** Of the console: a change that is too small to be told in the audit log. */
    isUnaudited?: boolean
    /** Its good answers may have the header `Service-Warning`. */
    warns?: true
  }
}
