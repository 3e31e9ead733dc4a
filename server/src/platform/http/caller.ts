import type { Uuid } from '../../base/id.ts'

/** Who is calling, as their key says. */
export type Caller = {
  accountId: Uuid
  keyId: Uuid
  /** False for a test key. */
  livemode: boolean
  /** What the key may do; null: everything. */
  scopes: readonly string[] | null
}

/** What a route under /v1 asks of its callers. Each has one: a route without it fails at registration. */
export type Access = {
  /** The scope that the key must have; null: any key. */
  scope: string | null
  /** Whether test keys may call it. */
  testKeys: boolean
  /** Its calls also count as uploads of their key (rule: media 4). */
  isUpload?: boolean
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Who is calling. Only on routes under /v1, where it is always known; anywhere else reading it is a bug and throws. */
    readonly caller: Caller
    /** The same, or null before the key was verified and outside of /v1. */
    admitted: Caller | null
  }
  interface FastifyContextConfig {
    access?: Access
  }
}
