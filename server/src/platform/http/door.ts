import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Clock, pause } from '../../base/clock.ts'
import { refusal } from '../../base/refusal.ts'
import { errorBody } from './answer.ts'
import { newRequestId } from './request-id.ts'

/** A whole request, a slow upload included. */
const requestMsMax = 300_000
/** Also of a connection that sends nothing at all. */
const headersMsMax = 10_000
/** How often connections are looked at for the two above. */
const lookAtConnectionsMs = 2_000
/** Longer than balancers keep theirs, so that none of them sends into one that we are closing. */
const keepAliveMs = 72_000
/** What may still come in the moment in which a start fails. */
const closeMsMax = 1_000

/** What Node's server is told, whoever makes it. */
export const serverOptions = {
  requestTimeout: requestMsMax,
  keepAliveTimeout: keepAliveMs,
  headersTimeout: headersMsMax,
  connectionsCheckingInterval: lookAtConnectionsMs,
  // Node would answer a request without Host itself, outside of everything here; a hook of ours does it instead.
  requireHostHeader: false,
}

/** The port that a process holds from its first moment on. What comes before it is opened gets the error that may be repeated. */
export type Door = {
  /** Where it listens, as a URL of this machine. */
  url: string
  server: Server
  /** What requests will be given to. */
  serve(handler: RequestListener): Server
  open(): void
  /** Nothing new is taken; resolves when all connections have ended, after a second at most. */
  close(): Promise<void>
}

/** Takes the port, or throws what the system says. */
export async function openDoor({ host, port, clock }: { host: string; port: number; clock: Clock }): Promise<Door> {
  const notYet = answerNotYet(clock)
  let handler = notYet
  let opened = notYet
  const server = createServer(serverOptions, (request, response) => handler(request, response))
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen({ host, port }, resolve))
  return {
    url: urlOf(server.address() as AddressInfo),
    server,
    serve(given) {
      opened = given
      return server
    },
    open() {
      handler = opened
    },
    async close() {
      if (!server.listening) return
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      await Promise.race([closed, pause(clock, closeMsMax)])
      server.closeAllConnections()
    },
  }
}

function answerNotYet(clock: Clock): RequestListener {
  return (request, response) => {
    const requestId = newRequestId(clock.now())
    const [path] = (request.url ?? '').split('?')
    const { status, body } =
      path === '/health' ? alive : path === '/ready' ? starting : { status: 500, body: errorBody(tryAgain, requestId) }
    const headers = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store', 'request-id': requestId }
    response.writeHead(status, { ...headers, 'retry-after': '1', connection: 'close' })
    response.end(body)
  }
}

const alive = { status: 200, body: JSON.stringify({ status: 'ok' }) }
const starting = {
  status: 503,
  body: JSON.stringify({ status: 'not_ready', checks: { start: { ok: false, note: 'the process is starting' } } }),
}
const tryAgain = refusal('internal_error', 'This process is starting. Nothing was done: try again in a moment.')

/** An address that stands for all is reached by loopback. */
function urlOf({ address, family, port }: AddressInfo): string {
  const reached = address === '0.0.0.0' ? '127.0.0.1' : address === '::' ? '::1' : address
  return `http://${family === 'IPv6' ? `[${reached}]` : reached}:${port}`
}
