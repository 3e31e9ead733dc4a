import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { type ManualClock, manualClock } from '../../base/clock.ts'
import type { Uuid } from '../../base/id.ts'
import { createMetrics } from '../observe/metrics.ts'
import type { KeyCaller } from './caller.ts'
import type { HttpObservation } from './observation.ts'
import { createProxyWatch, type ProxyWatch } from './proxy-watch.ts'
import { createRateLimits } from './rate-limit.ts'
import type { RequestLogEntry } from './request-log.ts'
import { createHttpServer, type HttpDeps, type HttpOptions, type HttpServer } from './server.ts'

export const accountId = '01900000-0000-7000-8000-00000000000a' as Uuid
const key = (last: string, caller: Partial<KeyCaller>): KeyCaller => ({
  accountId,
  keyId: `01900000-0000-7000-8000-00000000000${last}` as Uuid,
  livemode: true,
  scopes: null,
  ...caller,
})

/** The keys that the server of a test knows. */
export const callers: Readonly<Record<string, KeyCaller>> = {
  live: key('1', {}),
  other: key('2', {}),
  test: key('3', { livemode: false }),
  reader: key('4', { scopes: ['things:read'] }),
  outage: key('5', {}),
  neighbour: key('6', { accountId: '01900000-0000-7000-8000-00000000000b' as Uuid }),
}

export const as = (name: keyof typeof callers) => ({ authorization: `Bearer ${name}` })

export type TestServer = {
  app: HttpServer
  clock: ManualClock
  observed: HttpObservation[]
  logged: RequestLogEntry[]
  proxies: ProxyWatch
}

export type TestServerOptions = Partial<HttpOptions> & {
  perKey?: number
  perAccount?: number
  readiness?: HttpDeps['readiness']
  dead?: HttpDeps['dead']
  /** The routes under /v1. */
  routes?: (v1: HttpServer) => void
  /** Routes beside /v1. */
  beside?: (app: HttpServer) => void
}

const documentOptions = {
  servers: [{ url: 'https://gateway.example', description: 'The only address.' }],
  description: 'Test.',
  contact: { name: 'Test', url: 'https://gateway.example' },
  tags: [],
  webhooks: {},
  schemas: {},
}

/** A server with the real hooks, limits and compilers, on a clock that the test moves. The caller closes `app`. */
export async function testServer(options: TestServerOptions = {}): Promise<TestServer> {
  const clock = manualClock('2026-11-27T21:11:41.747Z')
  const observed: HttpObservation[] = []
  const logged: RequestLogEntry[] = []
  const metrics = createMetrics()
  const observe = (observation: HttpObservation) => {
    if (observation.kind !== 'http.answered') observed.push(observation)
  }
  const { perKey = 600, perAccount = 1200, routes, beside, readiness = [], dead = () => [], ...rest } = options
  const rateLimits = await createRateLimits({ clock, observe, perKey, perAccount, redisUrl: null })
  const proxies = createProxyWatch(observe, options.trustProxy ?? [])
  const app = createHttpServer(
    {
      clock,
      observe,
      metrics,
      authenticate: async (bearer) => callers[bearer] ?? null,
      rateLimits,
      logRequest: (entry) => logged.push(entry),
      readiness,
      dead,
      proxies,
      console: { readSession: async () => null, membershipOf: async () => null, origins: [], logAction: async () => {} },
    },
    { ...documentOptions, trustProxy: [], metricsToken: null, ...rest },
  )
  beside?.(app)
  app.register(async (v1) => routes?.(v1), { prefix: '/v1' })
  await app.ready()
  return { app, clock, observed, logged, proxies }
}

/** Listens on a port that the system gives. */
export async function listen(app: HttpServer): Promise<number> {
  await app.listen({ host: '127.0.0.1', port: 0 })
  return (app.server.address() as AddressInfo).port
}

/** Sends these bytes on a connection of their own and answers all that comes back until the server ends it. */
export async function exchange(port: number, bytes: string | Buffer): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  await once(socket, 'connect')
  socket.write(bytes)
  await once(socket, 'close')
  return Buffer.concat(chunks).toString()
}

/** The envelope and Request-Id of a raw answer. */
export function readRaw(answer: string) {
  const [head = '', body = ''] = answer.split('\r\n\r\n')
  return {
    status: Number(head.split(' ')[1]),
    requestId: /^request-id: (req_[0-9a-f]{32})$/im.exec(head)?.[1],
    error:
      body === ''
        ? null
        : (JSON.parse(body.slice(body.indexOf('{'), body.lastIndexOf('}') + 1)).error as {
            code: string
            message: string
            request_id: string
          }),
  }
}
