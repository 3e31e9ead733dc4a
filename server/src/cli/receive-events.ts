import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { request } from 'undici'

/** What a receiver of ours answers when it is asked whether it lives. */
const greeting = 'pombo listen'
const aliveMsMax = 1_000

export type Receiver = { url: string; close(): Promise<void> }

/** Whether the event is accepted: the gateway then counts it as delivered, else it repeats it. */
export type Take = (rawBody: Buffer, signature: string) => boolean

/** Listens on loopback, at a port that the system gives and a path that nobody guesses. */
export async function startReceiver(take: Take): Promise<Receiver> {
  const path = `/${randomBytes(16).toString('hex')}`
  const server = createServer((incoming, response) => {
    answer(incoming, response, { path, take }).catch(() => response.destroy())
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}${path}`, close: () => close(server) }
}

async function answer(incoming: IncomingMessage, response: ServerResponse, at: { path: string; take: Take }): Promise<void> {
  if (incoming.url !== at.path) {
    response.writeHead(404).end()
  } else if (incoming.method === 'POST') {
    // Only the gateway of this machine knows the path, and its events are bounded: the body needs no limit of its own.
    const taken = at.take(await buffer(incoming), String(incoming.headers['service-signature'] ?? ''))
    response.writeHead(taken ? 204 : 400).end()
  } else response.writeHead(200, { 'content-type': 'text/plain' }).end(greeting)
}

async function close(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeAllConnections()
  await closed
}

/** True when the url is one that a receiver here could have had. */
export const isReceiverUrl = (url: string): boolean => /^http:\/\/127\.0\.0\.1:[0-9]+\/[0-9a-f]{32}$/.test(url)

/** True while a receiver listens at this url: another program may have taken its port since. */
export async function receiverLives(url: string): Promise<boolean> {
  try {
    const { body } = await request(url, { signal: AbortSignal.timeout(aliveMsMax) })
    return (await body.text()) === greeting
  } catch {
    return false
  }
}
