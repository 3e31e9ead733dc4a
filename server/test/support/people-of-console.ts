import { createHmac } from 'node:crypto'
import { formatId, newUuid, type Uuid } from '../../src/base/id.ts'
import { addMember } from '../../src/features/members/public.ts'
import { authSecretOf, sessionCookieName } from '../../src/features/members/session-cookie.ts'
import { done } from './accounts.ts'
import type { Answer, CallOptions, Method } from './caller.ts'
import type { TestGateway } from './gateway.ts'
import { sql } from './stage.ts'

export type ConsoleCaller = {
  userId: Uuid
  email: string
  /** What a browser would send; another for each sign-in. */
  cookie: string
  /** Calls a path below `/console/api`, such as `/me`, with the session and the origin of a page of the console. */
  call(method: Method, path: string, options?: CallOptions): Promise<Answer>
  /** The same below the account: `/members`. */
  onAccount(method: Method, path: string, options?: CallOptions): Promise<Answer>
}

type Wanted = {
  accountId: Uuid
  role?: 'owner' | 'admin' | 'agent' | 'viewer'
  /** Somebody new, unless an e-mail of somebody known is given. */
  email?: string
  name?: string
}

let people = 0

/** A member of the account in whose browser somebody has signed in; no password is asked for, so that no limit is in the way of a test. */
export async function signedIn(gateway: TestGateway, { accountId, role = 'owner', email, name }: Wanted): Promise<ConsoleCaller> {
  people += 1
  const address = email ?? `pessoa${people}-${process.pid}@example.com`
  const { user } = done(await addMember(gateway.deps, { accountId, email: address, name: name ?? `Pessoa ${people}`, role }))
  return callerFor(gateway, { userId: user.id, email: address, accountId, cookie: await sessionOf(gateway, user.id) })
}

/** Calls as somebody of whom the cookies are known. */
export function callerFor(
  gateway: TestGateway,
  { userId, email, accountId, cookie }: { userId: Uuid; email: string; accountId: Uuid; cookie: string },
): ConsoleCaller {
  const call = (method: Method, path: string, options: CallOptions = {}) =>
    gateway.call(method, `/console/api${path}`, { ...options, headers: { cookie, origin: originOf(gateway), ...options.headers } })
  const base = `/accounts/${formatId('acc', accountId)}`
  return { userId, email, cookie, call, onAccount: (method, path, options) => call(method, `${base}${path}`, options) }
}

/** What a page of the console says of itself. */
export const originOf = (gateway: TestGateway): string => new URL(gateway.url).origin

/** A session as a sign-in makes it, as the header `cookie`. */
async function sessionOf(gateway: TestGateway, userId: Uuid): Promise<string> {
  const { database, clock, secretKey } = gateway.deps
  const now = clock.now()
  const token = newUuid(now)
  await sql(
    database,
    `insert into auth.session (id, "expiresAt", token, "createdAt", "updatedAt", "ipAddress", "userAgent", "userId")
    values ($1, $2, $3, $4, $4, '127.0.0.1', 'test', $5)`,
    [newUuid(now), new Date(now.getTime() + 86_400_000), token, now, userId],
  )
  const signature = createHmac('sha256', authSecretOf(secretKey)).update(token).digest('base64')
  return `${sessionCookieName(gateway.config.publicUrl)}=${encodeURIComponent(`${token}.${signature}`)}`
}
