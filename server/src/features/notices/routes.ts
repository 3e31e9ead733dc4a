import { timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../../base/clock.ts'
import { crashpoint } from '../../base/crashpoint.ts'
import { newUuid } from '../../base/id.ts'
import { refusal } from '../../base/refusal.ts'
import { limits } from '../../limits.ts'
import { refuse } from '../../platform/http/answer.ts'
import { readRawBodies } from '../../platform/http/body.ts'
import { networkOf } from '../../platform/http/network-of.ts'
import { createRateWindows } from '../../platform/http/rate-window.ts'
import type { HttpServer } from '../../platform/http/server.ts'
import { noticeIsSigned } from '../../platform/upstream/signature.ts'
import type { RawNotice } from './store.ts'

export type NoticeRoutesDeps = {
  clock: Clock
  /** Resolves once the notice is on disk. */
  keep: (notice: RawNotice) => Promise<void>
  appSecrets: readonly string[]
  verifyToken: string | null
  observe: (observation: NoticeRouteObservation) => void
}

export type NoticeRouteObservation = { kind: 'notices.wrong_signature'; bytes: number } | { kind: 'notices.not_kept'; message: string }

const path = '/upstream/notices'
/** Lines of the log in a minute. */
const wrongSignaturesToldMax = 60
/** So many wrong signatures a minute are looked at of a network that has shown no right one. */
const wrongSignaturesMax = 60
/** More networks than this within a minute are not told apart. */
const networksMax = 10_000

/** Where upstream posts its notices: checked over the raw bytes, written down, and only then answered (rule: receive 1). */
export function noticeRoutes(app: HttpServer, deps: NoticeRoutesDeps): void {
  app.get(path, { schema: { hide: true } }, async (request, reply) => {
    // The handshake is not signed; the verify token says who asks.
    const asked = request.query as Record<string, unknown>
    const challenge = asked['hub.challenge']
    if (asked['hub.mode'] !== 'subscribe' || typeof challenge !== 'string' || !isVerifyToken(asked['hub.verify_token'], deps.verifyToken)) {
      return refuse(reply, refusal('forbidden', 'The verify token is not ours.'))
    }
    return reply.type('text/plain').header('x-content-type-options', 'nosniff').send(challenge)
  })

  // Anybody can make us write this line: a flood of them must not fill the disk.
  const wrongSignatures = createRateWindows({ clock: deps.clock, max: wrongSignaturesToldMax, windowMs: limits.rateWindowMs, keysMax: 1 })
  const strangers = createRateWindows({ clock: deps.clock, max: wrongSignaturesMax, windowMs: limits.rateWindowMs, keysMax: networksMax })
  /** Until when the bodies of a network are not read any more, in monotonic milliseconds. */
  const refused = new Map<string, number>()
  const noteWrong = (network: string) => {
    const { admitted, resetSeconds } = strangers(network)
    if (admitted) return
    if (refused.size >= networksMax) refused.clear()
    refused.set(network, deps.clock.monotonicMs() + resetSeconds * 1_000)
  }
  const isRefused = (request: FastifyRequest) =>
    refused.size > 0 && (refused.get(networkOf(request.ip)) ?? 0) > deps.clock.monotonicMs() && !app.isVouchedFor(request.ip)
  void app.register(async (scope) => {
    readRawBodies(scope, limits.noticeBytesMax)
    // Reading 3 MB and looking for their signature costs more than anybody may make us do for nothing.
    const onRequest = async (request: FastifyRequest, reply: FastifyReply) =>
      isRefused(request) ? refuse(reply.header('connection', 'close'), refusal('unauthorized', tooManyWrong)) : undefined
    scope.post(path, { bodyLimit: limits.noticeBytesMax, onRequest, schema: { hide: true } }, async (request, reply) => {
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
      const signature = request.headers['x-hub-signature-256']
      if (!noticeIsSigned(body, typeof signature === 'string' ? signature : undefined, deps.appSecrets)) {
        noteWrong(networkOf(request.ip))
        if (wrongSignatures('').admitted) deps.observe({ kind: 'notices.wrong_signature', bytes: body.length })
        return refuse(reply, refusal('unauthorized', 'The signature is not of these bytes.'))
      }
      scope.vouchFor(request.ip)
      const now = deps.clock.now()
      try {
        await deps.keep({ id: newUuid(now), livemode: true, accountId: null, body, dueAt: now, receivedAt: now })
      } catch (error) {
        // Upstream repeats for days: refusing is safe, answering early is not.
        deps.observe({ kind: 'notices.not_kept', message: error instanceof Error ? error.message : String(error) })
        return reply.code(503).header('retry-after', '5').send()
      }
      crashpoint('after_notice_kept')
      return reply.code(200).send()
    })
  })
}

const tooManyWrong = 'Too many bodies from here had a wrong signature: none is read for a minute.'

function isVerifyToken(given: unknown, ours: string | null): boolean {
  if (typeof given !== 'string' || ours === null) return false
  const [a, b] = [Buffer.from(given), Buffer.from(ours)]
  return a.length === b.length && timingSafeEqual(a, b)
}
