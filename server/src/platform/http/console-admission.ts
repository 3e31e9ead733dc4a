import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { parseId, type Uuid } from '../../base/id.ts'
import { because, type Refusal, refusal } from '../../base/refusal.ts'
import { accessRefusal, tellLimits, tooMany } from './admission.ts'
import { refuse } from './answer.ts'
import type { Person } from './caller.ts'
import type { RateLimits } from './rate-limit.ts'

/** Something that somebody did in the console, for the audit log. */
export type Action = {
  accountId: Uuid
  userId: Uuid
  /** The operation, such as `revokeApiKey`. */
  operation: string
  /** The ids in its path. */
  targets: Readonly<Record<string, string>>
  address: string
  /** True: the call was answered, and what it was to do did not come about. */
  failed: boolean
  /** The names that it was about, as they were then. */
  about: Readonly<Record<string, string>>
}

export type ConsoleDeps = {
  /** Who sends these cookies; null when nobody has signed in with them. */
  readSession: (headers: IncomingHttpHeaders) => Promise<Person | null>
  /** What this person may do in an account; null: they do not belong to it. */
  membershipOf: (userId: Uuid, accountId: Uuid) => Promise<{ scopes: readonly string[] | null } | null>
  rateLimits: Pick<RateLimits, 'takeConsoleCall' | 'attempts'>
  /** Where the console may be opened, beside the host that the request itself was sent to. */
  origins: readonly string[]
}

/** The header by which the console asks for test mode. */
export const modeHeader = 'pombo-mode'

/**
 * Decides, before a body is read, whether a call of the console goes on: where it comes from (403), the session (401), limits (429), the
 * account (404), what the role may (403). True: it does. False: it has been answered.
 */
export async function admitToConsole(deps: ConsoleDeps, request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
  reply.header('cache-control', 'no-store')
  const { access } = request.routeOptions.config
  if (changes(request) && !comesFromConsole(deps, request)) return turnAway(reply, elsewhere)
  if (access === 'anybody') {
    // Counted before the body is read: what it costs to read and check is bounded by it.
    const open = await deps.rateLimits.attempts.takeOpenCall(request)
    return open.admitted || tooMany(reply, open)
  }

  const person = await deps.readSession(request.headers)
  if (person === null) return turnAway(reply, signedOut)
  request.signedIn = person
  const taken = deps.rateLimits.takeConsoleCall(person.userId)
  const window = taken instanceof Promise ? await taken : taken
  tellLimits(reply, window)
  if (!window.admitted) return tooMany(reply, window)
  if (access === 'signed_in' || access === undefined) return true

  const accountId = parseId('acc', (request.params as { account_id?: string }).account_id ?? '')
  const membership = accountId === null ? null : await deps.membershipOf(person.userId, accountId)
  // An account that is somebody else's looks like one that does not exist.
  if (accountId === null || membership === null) return turnAway(reply, noAccount)
  const livemode = request.headers[modeHeader] !== 'test'
  const caller = { accountId, keyId: null, userId: person.userId, livemode, scopes: membership.scopes }
  request.admitted = caller
  const reason = accessRefusal(caller, access)
  return reason === null || turnAway(reply, reason)
}

const elsewhere = refusal('forbidden', because('other_origin', 'This call does not come from a page of the console.'))
const signedOut = refusal('unauthorized', because('signed_out', 'Nobody has signed in, or the session has ended.'))
const noAccount = refusal('not_found', because('no_account', 'There is no account with this id.'))

/** What somebody has done when this answer goes out; null: nothing, or nothing to tell. */
export function actionOf(request: FastifyRequest, status: number): Action | null {
  const { admitted, routeOptions } = request
  if (admitted === null || admitted.keyId !== null || !changes(request) || status >= 300 || routeOptions.config.isUnaudited) return null
  const { account_id: _account, ...targets } = request.params as Record<string, string>
  const operation = routeOptions.schema?.operationId ?? `${request.method} ${routeOptions.url}`
  const { about, failed } = request.deed ?? { about: {}, failed: false }
  return { accountId: admitted.accountId, userId: admitted.userId, operation, targets, address: request.ip, failed, about }
}

const changes = ({ method }: FastifyRequest): boolean => method !== 'GET' && method !== 'HEAD'

/**
 * No other site may make a browser change something with the cookies of ours: what changes something must say that it comes from this
 * very host. Browsers send `Origin` with each such request, and no page can set it.
 */
function comesFromConsole({ origins }: ConsoleDeps, { headers, host }: FastifyRequest): boolean {
  const { origin } = headers
  const from = origin === undefined ? null : URL.parse(origin)
  return from !== null && (from.host === host || origins.includes(from.origin))
}

function turnAway(reply: FastifyReply, reason: Refusal): false {
  refuse(reply, reason)
  return false
}
