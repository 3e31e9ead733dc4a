import type { Answer } from '../../api/client.ts'

export type ApiKey = Answer<'GET /account/api-keys'>['data'][number]
/** A key as it is shown once, with its secret. */
export type NewKey = Answer<'POST /account/api-keys'>
export type Scope = NonNullable<ApiKey['scopes']>[number]

/** What a key may be allowed, in the order in which it is offered. */
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
] as const satisfies readonly Scope[]

/** The name of a scope's words: a colon would be read as a namespace. */
export const wordOf = (scope: Scope) => scope.replace(':', '_')
