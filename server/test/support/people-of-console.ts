import { createHmac } from 'node:crypto'
import { type SystemClock, systemClock } from '../../src/base/clock.ts'
import { formatId, newUuid, type Uuid } from '../../src/base/id.ts'
import { addMember, makeOperatorsLink } from '../../src/features/members/public.ts'
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
  const cookie = await sessionOf(gateway, user.id)
  const call = (method: Method, path: string, options?: CallOptions) => callWith(gateway, cookie, method, path, options)
  const base = `/accounts/${formatId('acc', accountId)}`
  return { userId: user.id, email: address, cookie, call, onAccount: (method, path, options) => call(method, `${base}${path}`, options) }
}

/** Calls a path below `/console/api` from a page of the console, with these cookies; an empty text is none. */
export function callWith(gateway: TestGateway, cookie: string, method: Method, path: string, options: CallOptions = {}): Promise<Answer> {
  const { origin } = new URL(gateway.url)
  return gateway.call(method, `/console/api${path}`, { ...options, headers: { cookie, origin, ...options.headers } })
}

/** The cookies that an answer sets, as a browser sends them on; those that it takes away are left out. */
export function cookiesOf(answer: Answer): string {
  return setCookiesOf(answer)
    .filter((each) => !/;\s*Max-Age=0(;|$)/i.test(each))
    .map((each) => each.split(';')[0])
    .join('; ')
}

export const setCookiesOf = ({ headers }: Answer): string[] => [(headers['set-cookie'] ?? []) as string | string[]].flat()

/** A token of a new one-time link, as the operator makes one. */
export async function linkTokenOf(gateway: TestGateway, email: string): Promise<string> {
  const { link } = done(await makeOperatorsLink({ ...gateway.deps, publicUrl: gateway.config.publicUrl }, email))
  return tokenIn(link)
}

/** What stands in the fragment of a link. */
export const tokenIn = (link: string): string => link.split('#')[1]?.trim() ?? ''

/** A clock on which the windows of limits end when a test says so, and not because the machine is slow. It counts a hundredth of what passes. */
export function clockWithMinutes(): SystemClock & { nextMinute(): void } {
  const real = systemClock()
  let aheadMs = 0
  return {
    ...real,
    monotonicMs: () => real.monotonicMs() / 100 + aheadMs,
    nextMinute() {
      aheadMs += 61_000
    },
  }
}

/** A session as a sign-in makes it, as the header `cookie`. */
async function sessionOf(gateway: TestGateway, userId: Uuid): Promise<string> {
  const { database, clock, secretKey } = gateway.deps
  const now = clock.now()
  const token = newUuid(now)
  await sql(
    database,
    `insert into auth.session (id, "expiresAt", token, "createdAt", "updatedAt", "ipAddress", "userAgent", "userId")
    values ($1, $2, $3, $4, $4, '127.0.0.1', 'test', $5)`,
    [newUuid(now), new Date(now.getTime() + 30 * 86_400_000), token, now, userId],
  )
  const signature = createHmac('sha256', authSecretOf(secretKey)).update(token).digest('base64')
  return `${sessionCookieName(gateway.config.publicUrl)}=${encodeURIComponent(`${token}.${signature}`)}`
}
