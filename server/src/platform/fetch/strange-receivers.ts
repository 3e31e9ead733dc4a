import { readFileSync } from 'node:fs'
import { createSecureServer } from 'node:http2'
import { createServer as createHttpsServer } from 'node:https'
import { createServer, type Server, type Socket } from 'node:net'
import { present } from '../../base/assert.ts'

/** A receiver for tests that misbehaves byte by byte. */
export type StrangeReceiver = {
  port: number
  /** Connections accepted so far. */
  connections: number
  /** Everything that came in, all connections together. */
  received: string
  /** Resolves once the next request's body has begun to arrive. */
  requested(): Promise<void>
  /** Resolves once the next connection is closed. */
  hungUp(): Promise<void>
  close(): Promise<void>
}

const tlsFolder = new URL('../../../test/support/tls/', import.meta.url)

/** The PEM text of the certificate that the TLS receivers show. It certifies itself. */
export const receiverCertificate = () => readFileSync(new URL('receiver.cert.pem', tlsFolder), 'utf8')

const keyPair = () => ({ cert: receiverCertificate(), key: readFileSync(new URL('receiver.key.pem', tlsFolder), 'utf8') })

/** Listens on a port of the system's choice, or on the given one; `answer` is called once per request with the raw socket. */
export async function rawReceiver(answer: (socket: Socket) => void, at: { host?: string; port?: number } = {}): Promise<StrangeReceiver> {
  const server = createServer()
  const receiver = await started(server, at)
  server.on('connection', (socket) => {
    socket.on('data', (chunk) => {
      receiver.received += chunk.toString('latin1')
      if (chunk.includes('\r\n\r\n')) answer(socket)
    })
  })
  return receiver
}

/**
 * An honest HTTPS server: 200 with the host it was asked for, and then it closes. With `endsSecond` it keeps its connections, and ends each at
 * its second request.
 */
export function tlsReceiver({
  endsSecond = false,
  ...at
}: {
  host?: string
  port?: number
  endsSecond?: boolean
} = {}): Promise<StrangeReceiver> {
  const served = new WeakSet<Socket>()
  const server = createHttpsServer(keyPair(), (request, response) => {
    if (served.has(request.socket)) return void request.socket.end()
    served.add(request.socket)
    if (!endsSecond) response.setHeader('connection', 'close')
    request.resume().on('end', () => response.end(`host ${request.headers.host}`))
  })
  return started(server, at)
}

/** Offers HTTP/2 first; answers with the version of HTTP that was spoken. */
export function http2Receiver(): Promise<StrangeReceiver> {
  const server = createSecureServer({ ...keyPair(), allowHTTP1: true }, (request, response) => {
    request.resume().on('end', () => response.end(`HTTP ${request.httpVersion}`))
  })
  return started(server, {})
}

async function started(server: Server, { host = '127.0.0.1', port = 0 }: { host?: string; port?: number }): Promise<StrangeReceiver> {
  const sockets = new Set<Socket>()
  const waiting: { requested: (() => void)[]; hungUp: (() => void)[] } = { requested: [], hungUp: [] }
  const wake = (callbacks: (() => void)[]) => {
    for (const callback of callbacks.splice(0)) callback()
  }
  server.on('connection', (socket: Socket) => {
    receiver.connections += 1
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('data', () => wake(waiting.requested))
    socket.on('close', () => {
      sockets.delete(socket)
      wake(waiting.hungUp)
    })
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve))
  const address = present(server.address(), 'a listening server has an address')
  const receiver: StrangeReceiver = {
    port: typeof address === 'string' ? 0 : address.port,
    connections: 0,
    received: '',
    requested: () => new Promise((resolve) => waiting.requested.push(resolve)),
    hungUp: () => new Promise((resolve) => waiting.hungUp.push(resolve)),
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return receiver
}
