import type { FastifyReply, FastifyRequest } from 'fastify'
import { because, type Refusal, refusal } from '../../base/refusal.ts'
import { refuse } from './answer.ts'
import { type Access, type Audience, type Caller, type KeyCaller, mayDo } from './caller.ts'
import type { RateLimits } from './rate-limit.ts'
import type { RateWindow } from './rate-window.ts'

type Deps = {
  /** The caller of a valid key, or null. */
  authenticate: (bearer: string) => Promise<KeyCaller | null>
  rateLimits: RateLimits
}

/** Longer than any key of ours: not worth a look-up. */
const bearerCharsMax = 256

/**
 * Decides, before a body is read, whether a call goes on: key (401), limits (429), access (403), in this order. True: it
 * does. False: it has been answered.
 */
// rule: authentication 1
export async function admit(deps: Deps, request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
  const caller = await authenticated(deps, request.headers.authorization).catch(async (outage: unknown) => {
    // rule: limits 4. Also the 500 to a caller whom nobody could look up; only its address is known.
    tellLimits(reply, await deps.rateLimits.takeFailedAuthentication(request.ip))
    throw outage
  })
  // The key is verified first, so that a flood of wrong keys from its address is never in the way of a valid one.
  if (caller === null) return turnAway(deps, request, reply)
  request.admitted = caller

  const access = accessOf(request.routeOptions.config.access)
  const taken = deps.rateLimits.takeCall(caller.keyId, caller.accountId, access?.isUpload === true)
  const window = taken instanceof Promise ? await taken : taken
  tellLimits(reply, window)
  if (!window.admitted) return tooMany(reply, window)

  const reason = access === undefined ? null : accessRefusal(caller, access)
  if (reason !== null) refuse(reply, reason)
  return reason === null
}

async function authenticated(deps: Deps, header: string | undefined): Promise<KeyCaller | null> {
  const bearer = /^Bearer +([^\s]+)$/i.exec(header ?? '')?.[1]
  return bearer === undefined || bearer.length > bearerCharsMax ? null : deps.authenticate(bearer)
}

async function turnAway(deps: Deps, request: FastifyRequest, reply: FastifyReply): Promise<false> {
  const window = await deps.rateLimits.takeFailedAuthentication(request.ip)
  tellLimits(reply, window)
  if (!window.admitted) return tooMany(reply, window)
  reply.header('www-authenticate', 'Bearer')
  refuse(reply, refusal('unauthorized', 'The API key is missing, invalid or revoked. Send it as "Authorization: Bearer <API_KEY>".'))
  return false
}

/** The headers that say how much of a limit is left. */
export function tellLimits(reply: FastifyReply, window: RateWindow): void {
  reply.header('ratelimit-limit', window.limit)
  reply.header('ratelimit-remaining', window.remaining)
  reply.header('ratelimit-reset', window.resetSeconds)
}

/** Answers a call that is one too many. */
export function tooMany(reply: FastifyReply, window: RateWindow): false {
  reply.header('retry-after', window.resetSeconds)
  refuse(
    reply,
    refusal(
      'rate_limited',
      because('too_many_calls', `Too many calls: ${window.limit} a minute are allowed. Try again in ${window.resetSeconds} seconds.`, {
        seconds: window.resetSeconds,
      }),
    ),
  )
  return false
}

/** What a route on an account asks for; null where the route asks for none of it. */
function accessOf(audience: Audience | undefined): Access | undefined {
  return typeof audience === 'object' ? audience : undefined
}

/** Why this caller may not call a route; null: it may. */
// rule: authentication 8
export function accessRefusal(caller: Caller, access: Access): Refusal | null {
  const isKey = caller.keyId !== null
  if (!caller.livemode && !access.testKeys)
    return refusal(
      'forbidden',
      isKey ? 'A test key may not do this operation.' : because('not_in_test_mode', 'This cannot be done in test mode.'),
    )
  if (mayDo(caller, access.scope)) return null
  return refusal(
    'forbidden',
    isKey
      ? `This key lacks the scope ${access.scope}.`
      : because('role_lacks', `Your role lacks the right ${access.scope}.`, { scope: access.scope ?? '' }),
  )
}
