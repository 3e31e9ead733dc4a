import { networkInterfaces } from 'node:os'
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls'
import { Pool } from 'undici'
import type { Clock } from '../../base/clock.ts'
import { answerHead } from './answer-head.ts'
import { type AttemptDeadlines, attemptDeadlines, sweep } from './attempt-deadlines.ts'
import { blockedAddress } from './blocked-address.ts'
import { type OriginPools, originPools } from './origin-pools.ts'
import { ownEndpointCheck } from './own-endpoints.ts'
import { publicNames, type ResolveHost, systemNames } from './resolve-host.ts'
import { type ConnectorDeps, strangerConnector } from './stranger-connector.ts'
import { failureWord, StaleConnection, type StrangerError } from './stranger-failure.ts'
import type { StrangerPolicy } from './stranger-policy.ts'
import { checkUrl } from './stranger-url.ts'
import { watchedClient } from './watched-client.ts'

export type StrangerRequest = { url: string; headers: Record<string, string>; body: Buffer }

/** `statusCode` is null exactly when `error` is not. `durationMs` ends at the headers. `bodyHead` is at most the first kilobyte, as text. */
export type StrangerAnswer = { statusCode: number | null; durationMs: number; error: StrangerError | null; bodyHead: string }

export type StrangerClient = {
  /**
   * Posts once: no redirect is followed, and nothing is repeated but on a fresh connection what a resting one that ends has not answered
   * (rule: delivery 16). Never rejects for anything that the network or the receiver does.
   */
  post(request: StrangerRequest): Promise<StrangerAnswer>
  /** Ends everything at once; attempts under way answer `closed`. */
  close(): Promise<void>
  /** How many origins have connections open or an attempt under way. */
  originCount(): number
}

type ClientDeps = { clock: Clock; policy: StrangerPolicy; resolve?: ResolveHost; deadlineMs?: number }

/** One attempt in all: name, connection, TLS, request and the answer's headers. */
const attemptDeadlineMs = 10_000

/** How exact the deadline is. */
const sweepMs = 50

// As many as the process makes attempts at once. Each webhook has few of its own, and a smaller number here would let one customer's slow receiver
// use up the deadline of another's on the same host.
const connectionsPerOriginMax = 256

// Shorter than the patience of any common server (the least is 2 s), so that we seldom write into a connection that is being closed.
const keepAliveMs = 1_000

// A host that moved is followed after a minute, however busy its connections are.
const connectionAgeMaxMs = 60_000

const headerBytesMax = 16 * 1024

/** Calls receivers that customers name. See `StrangerPolicy` for whom; `resolve` and `deadlineMs` are for tests. */
export function createStrangerClient(deps: ClientDeps): StrangerClient {
  const { clock, policy } = deps
  const deadlineMs = deps.deadlineMs ?? attemptDeadlineMs
  const connector = connectorDeps(deps, deadlineMs)
  const deadlines = attemptDeadlines(deadlineMs)
  const open = (origin: URL) => openPool(connector, origin)
  const pools = originPools({ open, idleMs: keepAliveMs })
  const sweeper = sweep({
    clock,
    everyMs: sweepMs,
    busy: () => deadlines.size() + pools.size() > 0,
    work(nowMs) {
      deadlines.abortDue(nowMs)
      pools.closeIdle(nowMs)
    },
  })
  let closed = false
  return {
    async post(request) {
      const url = checkUrl(request.url, { policy, blocked: connector.blocked })
      if (closed || !url.ok) return failed(closed ? 'closed' : 'blocked', 0)
      sweeper.wake()
      return await attempt({ clock, deadlines, pools, open }, url.value, request)
    },
    async close() {
      closed = true
      sweeper.stop()
      deadlines.abortAll('closed')
      await pools.closeAll()
    },
    originCount: () => pools.size(),
  }
}

type AttemptDeps = { clock: Clock; deadlines: AttemptDeadlines; pools: OriginPools; open: (origin: URL) => Pool }

async function attempt(
  { clock, deadlines, pools, open }: AttemptDeps,
  url: URL,
  { headers, body }: StrangerRequest,
): Promise<StrangerAnswer> {
  const startedMs = clock.monotonicMs()
  const elapsedMs = () => Math.round(clock.monotonicMs() - startedMs)
  const signal = deadlines.start(startedMs)
  const origin = pools.take(url)
  const call = { method: 'POST' as const, path: url.pathname + url.search, headers: allowedHeaders(headers), body, signal }
  try {
    const answer = await postThrough(origin.pool, call, elapsedMs).catch((error: unknown) => {
      if (!(error instanceof StaleConnection)) throw error
      // rule: delivery 16. Others that rest there may have ended too.
      return onFreshConnection(
        () => open(url),
        (pool) => postThrough(pool, call, elapsedMs),
      )
    })
    return answer
  } catch (error) {
    return failed(failureWord(error), elapsedMs())
  } finally {
    deadlines.end(signal)
    pools.release(origin, clock.monotonicMs())
  }
}

type Call = Parameters<Pool['request']>[0]

async function postThrough(pool: Pool, call: Call, elapsedMs: () => number): Promise<StrangerAnswer> {
  const answer = await pool.request(call)
  // Decided here. Whatever the body does, the receiver has answered.
  const durationMs = elapsedMs()
  return { statusCode: answer.statusCode, durationMs, error: null, bodyHead: await answerHead(answer.body) }
}

async function onFreshConnection<Value>(open: () => Pool, work: (pool: Pool) => Promise<Value>): Promise<Value> {
  const pool = open()
  try {
    return await work(pool)
  } finally {
    void pool.destroy()
  }
}

function failed(error: StrangerError, durationMs: number): StrangerAnswer {
  return { statusCode: null, durationMs, error, bodyHead: '' }
}

// What undici derives from the URL and the body, what would change the meaning of the connection, and what would bring a compressed answer.
const OWN_HEADERS = new Set([
  'host',
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'upgrade',
  'expect',
  'te',
  'trailer',
  'accept-encoding',
])

function allowedHeaders(headers: Record<string, string>): string[] {
  const allowed: string[] = []
  for (const [name, value] of Object.entries(headers)) {
    if (!OWN_HEADERS.has(name.toLowerCase())) allowed.push(name, value)
  }
  return allowed
}

function openPool(deps: ConnectorDeps, origin: URL): Pool {
  const connect = strangerConnector(deps, origin)
  return new Pool(origin.origin, {
    connect,
    factory: (at, options) => watchedClient(at, { ...options, connect }),
    // On by default since undici 8: a receiver that offers HTTP/2 would get it.
    allowH2: false,
    connections: connectionsPerOriginMax,
    pipelining: 1,
    maxHeaderSize: headerBytesMax,
    keepAliveTimeout: keepAliveMs,
    keepAliveMaxTimeout: keepAliveMs,
    clientTtl: connectionAgeMaxMs,
    // The attempt's own deadline covers both; these would start anew with each chunk.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
}

function connectorDeps({ clock, policy, resolve }: ClientDeps, timeoutMs: number): ConnectorDeps {
  return {
    blocked: blockedAddress(policy),
    own: ownEndpointCheck({ clock, endpoints: policy.ownEndpoints, resolve: resolve ?? systemNames, localAddresses }),
    // Where the operator lets private receivers in, their names may stand in the hosts file only.
    resolve: resolve ?? (policy.allowPrivate || policy.allowCidrs.length > 0 ? systemNames : publicNames()),
    secureContext: secureContext(policy.certificateAuthorities),
    timeoutMs,
  }
}

/** Made once: parsing the list of authorities costs milliseconds, and a connection that is given a list parses it again. */
function secureContext(certificateAuthorities: string | null): SecureContext {
  return certificateAuthorities === null
    ? createSecureContext()
    : createSecureContext({ ca: [...getCACertificates('default'), certificateAuthorities] })
}

function localAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((addresses) => (addresses ?? []).map(({ address }) => address))
}
