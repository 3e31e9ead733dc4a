import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type RawServerDefault,
} from 'fastify'
import { assert, present } from '../../base/assert.ts'
import type { Clock } from '../../base/clock.ts'
import { because, refusal } from '../../base/refusal.ts'
import { limits } from '../../limits.ts'
import type { Metrics } from '../observe/metrics.ts'
import { admit } from './admission.ts'
import { refuse } from './answer.ts'
import { createTeller } from './answered.ts'
import { readJsonBodies } from './body.ts'
import type { KeyCaller, MemberCaller } from './caller.ts'
import { closeWithin } from './closing.ts'
import { type Compilation, createCompilers } from './compilers.ts'

import { boundConnections, type ConnectionBounds } from './connections.ts'
import { type Action, actionOf, admitToConsole, type ConsoleDeps } from './console-admission.ts'
import { type Door, serverOptions } from './door.ts'
import { failureOf } from './failure.ts'
import { healthRoutes, type ReadinessCheck } from './health.ts'
import { metricsRoute } from './metrics-route.ts'
import { addressTest } from './network-of.ts'
import type { HttpObservation } from './observation.ts'
import { boundOpenBodies, type Shares } from './open-bodies.ts'
import { consoleDocumentRoutes, type DocumentOptions, documentRoutes } from './openapi.ts'
import type { ProxyWatch } from './proxy-watch.ts'
import { parseQuery } from './query-text.ts'
import type { RateLimits } from './rate-limit.ts'
import { answerFrameworkError, answerUnparsable } from './raw-errors.ts'
import { referenceRoutes } from './reference.ts'
import { newRequestId } from './request-id.ts'
import type { RequestLogEntry } from './request-log.ts'
import { guardRoute, isOnConsoleAccount, isUnderApi } from './route-guard.ts'
import { errorSchema } from './schema.ts'
import { invalidRequest } from './validation.ts'

export type HttpServer = FastifyInstance<RawServerDefault, IncomingMessage, ServerResponse, FastifyBaseLogger, TypeBoxTypeProvider>

export type HttpDeps = {
  clock: Clock
  observe: (observation: HttpObservation) => void
  metrics: Metrics
  /** The caller of a valid key, or null. What it throws is answered with 500. */
  authenticate: (bearer: string) => Promise<KeyCaller | null>
  rateLimits: RateLimits
  /** Takes note of each authenticated call once it has been answered; must not wait. */
  logRequest: (entry: RequestLogEntry) => void
  proxies: ProxyWatch
  /** What /ready asks, in the order in which it is shown. */
  readiness: readonly ReadinessCheck[]
  /** What of this process only a restart would help. */
  dead?: () => readonly string[]
  console: Omit<ConsoleDeps, 'rateLimits'> & {
    /** Takes note of what somebody has done; what it throws is told as a bug, and changes no answer. */
    logAction: (action: Action) => Promise<void>
  }
}

export type HttpOptions = DocumentOptions & {
  /** Addresses of proxies whose `X-Forwarded-*` count. */
  trustProxy: readonly string[]
  /** Whether browsers reach us by https, and shall never come in the clear again. */
  isSecure?: boolean
  /** The bearer of /metrics; null: only from a loopback address that no proxy stands before. */
  metricsToken: string | null
  /** The port that is held already; left out: `listen` takes one. */
  door?: Door
  /** Nothing but `/health`, `/ready` and `/metrics`. */
  probesOnly?: boolean
  /** What bodies may hold in memory, and how many connections may be open; left out: as in production. */
  bodyShares?: Shares
  connectionBounds?: ConnectionBounds
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Every part of every route whose schema is compiled at first use. */
    compilations: readonly Compilation[]
    /** From now on `/ready` says 503, and each answer ends its connection. Requests are served until `close()`. */
    drain: () => void
  }
}

/** A template's name has up to 512 characters; a longer part of a path names nothing. */
const pathPartCharsMax = 600
/** For a year, and of this host alone: what else lies below it is not ours. */
const hsts = 'max-age=31536000'

/**
 * The HTTP server with everything that is the same for all routes. Every route under /v1 needs `config.access`, and its calls
 * pass key, limits and access before their body is read. `close()` lets running requests end, for at most 10 seconds.
 */
export function createHttpServer(deps: HttpDeps, options: HttpOptions): HttpServer {
  const tell = createTeller(deps)
  const compilers = createCompilers()
  const { door = null } = options
  const app = Fastify({
    logger: false,
    genReqId: () => newRequestId(deps.clock.now()),
    trustProxy: options.trustProxy.length > 0 ? [...options.trustProxy] : false,
    bodyLimit: limits.bodyBytesMax,
    routerOptions: { maxParamLength: pathPartCharsMax, querystringParser: parseQuery },
    requestTimeout: serverOptions.requestTimeout,
    keepAliveTimeout: serverOptions.keepAliveTimeout,
    http: serverOptions,
    ...(door === null ? {} : { serverFactory: (handler: RequestListener) => door.serve(handler) }),
    // A request that comes while we close is still answered, on a connection that then ends. The contract has no 503.
    return503OnClosing: false,
    schemaController: compilers.controller,
    schemaErrorFormatter: invalidRequest,
    frameworkErrors(error, request, reply) {
      // No hook runs for these.
      reply.raw.once('finish', () => tell(request, reply))
      answerFrameworkError(deps, error, request, reply)
    },
    clientErrorHandler: (error, socket) => answerUnparsable(deps, error, socket),
  }).withTypeProvider<TypeBoxTypeProvider>()

  // An unknown expectation is passed over; Node would answer it itself, with a bare 417.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  app.decorate('compilations', compilers.compilations)
  app.decorateRequest('admitted', null)
  app.decorateRequest('deed', null)
  app.decorateRequest('caller', {
    getter(this: FastifyRequest) {
      return present(this.admitted, 'the caller was asked for on a route of no account')
    },
  })
  app.decorateRequest('member', {
    getter(this: FastifyRequest) {
      return memberOf(this)
    },
  })
  app.decorateRequest('signedIn', null)
  app.decorateRequest('sharesAddress', false)
  app.decorateRequest('refusedWith', null)
  app.decorateRequest('toldMessage', null)
  app.decorateRequest('person', {
    getter(this: FastifyRequest) {
      return present(this.signedIn, 'the person was asked for where nobody must have signed in')
    },
  })
  app.addSchema(errorSchema)
  readJsonBodies(app)
  boundConnections(app, { clock: deps.clock, isTrustedProxy: addressTest(options.trustProxy) }, options.connectionBounds)
  boundOpenBodies(app, deps.clock, options.bodyShares)
  answerErrors(app, deps)
  firstOfAll(app, deps, options.isSecure === true)
  const admission = async (request: FastifyRequest, reply: FastifyReply) => ((await admit(deps, request, reply)) ? undefined : reply)
  const consoleDeps = { ...deps.console, rateLimits: deps.rateLimits }
  const consoleAdmission = async (request: FastifyRequest, reply: FastifyReply) =>
    (await admitToConsole(consoleDeps, request, reply)) ? undefined : reply
  app.addHook('onRoute', (route) => guardRoute(route, { api: admission, console: consoleAdmission }))
  logActions(app, deps)
  app.addHook('onResponse', (request, reply, done) => {
    tell(request, reply)
    done()
  })
  const { drain, isDraining } = closeWithin(app, deps.clock, door?.server ?? null)
  app.decorate('drain', drain)

  if (options.probesOnly !== true) {
    documentRoutes(app, options)
    consoleDocumentRoutes(app)
    referenceRoutes(app)
  }
  healthRoutes(app, deps, isDraining)
  metricsRoute(app, deps.metrics, options.metricsToken)
  return app
}

function memberOf(request: FastifyRequest): MemberCaller {
  const caller = present(request.admitted, 'the member was asked for on a route of no account')
  assert(caller.keyId === null, 'the member was asked for where a key calls')
  return caller
}

/** Before the answer goes out, so that whoever has it finds the action in the log. */
function logActions(app: HttpServer, { console: { logAction }, observe }: HttpDeps): void {
  const log = async (request: FastifyRequest, reply: FastifyReply) => {
    const action = actionOf(request, reply.statusCode)
    if (action === null) return
    await logAction(action).catch((error: unknown) => {
      const { observation } = failureOf(error, request)
      if (observation !== null) observe(observation)
    })
  }
  // Only on routes of the console that may change something: calls of /v1 know nothing of it.
  app.addHook('onRoute', (route) => {
    if (isOnConsoleAccount(route.url) && route.method !== 'GET' && route.method !== 'HEAD')
      route.onSend = [log as never, ...[route.onSend ?? []].flat()]
  })
}

function answerErrors(app: HttpServer, { observe }: HttpDeps): void {
  app.setErrorHandler((error, request, reply) => {
    const failure = failureOf(error, request)
    if (failure.observation !== null) observe(failure.observation)
    if (failure.retryAfterSeconds !== undefined) reply.header('retry-after', failure.retryAfterSeconds)
    return refuse(reply, failure.refusal)
  })
}

/** Before anything else: the id, which also marks every error that follows, and what has no route. */
function firstOfAll(app: HttpServer, deps: HttpDeps, isSecure: boolean): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('request-id', request.id)
    if (isSecure) reply.header('strict-transport-security', hsts)
    if (deps.proxies.cameByUnknown(request.socket.remoteAddress ?? '', request.headers)) request.sharesAddress = true
    if (request.headers.host === undefined && request.raw.httpVersion === '1.1') {
      return refuse(reply, refusal('invalid_request', 'The header Host is required.'))
    }
    passOverEmptyBody(request)
    if (!request.is404) return done()
    // Answered here and not in a handler: before one runs Fastify would read the body, and complain about it.
    const known = isUnderApi(request.url) ? admit(deps, request, reply) : Promise.resolve(true)
    known.then((admitted) => {
      if (admitted) refuse(reply, nothingHere)
    }, done)
  })
  // Only for what has a route and finds nothing there, such as an asset.
  app.setNotFoundHandler((_request, reply) => refuse(reply, nothingHere))
}

const nothingHere = refusal('not_found', because('no_page', 'There is nothing at this path, or not with this method.'))

/** Without a body its content type means nothing, and Fastify refuses those that it cannot parse. */
function passOverEmptyBody({ headers }: FastifyRequest): void {
  const empty = headers['content-length'] === '0' || (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined)
  if (empty && headers['content-type'] !== undefined) delete headers['content-type']
}
