import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { isDeepStrictEqual } from 'node:util'
import { unwrapEvent } from '@pombo/sdk'
import Stripe from 'stripe'
import { createHeard, type Heard } from './heard.ts'
import { ownPath } from './own-path.ts'

/** An event as a customer's system gets it, after its signature was verified. */
export type ReceivedEvent = {
  id: string
  object: string
  type: string
  api_version: string
  created_at: string
  livemode: boolean
  // biome-ignore lint/suspicious/noExplicitAny: tests look into events of every kind.
  data: any
  /** The exact text of the body. */
  raw: string
  /** The header `Service-Signature`. */
  signature: string
}

/** What one webhook was told. `all` is in order of arrival. */
export type TestEvents = Pick<Heard<ReceivedEvent>, 'all' | 'until'> & {
  webhookId: string
  secret: string
  /** The first event of this kind about this message. */
  of(messageId: string, type: string): Promise<ReceivedEvent>
  /** The kinds told of this message so far, in the order in which they happened: an event's id sorts like its making. */
  kindsOf(messageId: string): string[]
}

/** A webhook as its registration answers it. */
type Registered = { webhookId: string; secret: string }

export type EventReceiver = {
  /** Makes a webhook's own path and hands its URL to `register`. */
  open(register: (url: string) => Promise<Registered>): Promise<TestEvents>
  /** Ends it, and throws when anything that it got was not right. */
  close(): Promise<void>
}

type Path = { registered: Promise<Registered>; heard: Heard<ReceivedEvent>; ids: Set<string> }

/**
 * A customer's receiver on a port of the system's choice. It believes nothing: a signature that the `stripe` package does not
 * accept, a wrong header, an event told twice, or a body for which `judge` throws is answered with 400 and fails the close.
 */
export async function startEventReceiver(judge: (event: ReceivedEvent) => void): Promise<EventReceiver> {
  const paths = new Map<string, Path>()
  const problems: string[] = []
  const own = ownPath()
  const server = createServer((request, response) => {
    if (!request.url?.startsWith(own)) return void response.writeHead(404).end()
    takeEvent(request, paths.get(request.url ?? ''), judge).then(
      () => response.writeHead(200).end(),
      (error: unknown) => {
        problems.push(String(error))
        response.writeHead(400).end()
      },
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    async open(register) {
      const path = `${own}/${paths.size + 1}`
      const heard = createHeard<ReceivedEvent>('event', (event) => `${event.type} ${event.data.id ?? ''}`)
      const registered = register(`http://127.0.0.1:${port}${path}`)
      paths.set(path, { registered, heard, ids: new Set() })
      return eventsOf(heard, await registered)
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      if (problems.length > 0) throw new Error(`the receiver refused events: ${problems.join('; ')}`)
    },
  }
}

async function takeEvent(request: IncomingMessage, path: Path | undefined, judge: (event: ReceivedEvent) => void): Promise<void> {
  const bytes = await buffer(request)
  if (path === undefined) throw new Error(`nothing is registered at ${request.url}`)
  const { secret } = await path.registered
  // The package of another house implements this very scheme; it checks the digest over the raw bytes and the age of `t`.
  const verified = Stripe.webhooks.constructEvent(bytes, request.headers['service-signature'] ?? '', secret) as unknown
  const event = { ...(verified as ReceivedEvent), raw: bytes.toString('utf8'), signature: request.headers['service-signature'] as string }
  const { 'service-event-id': id, 'service-event-type': type, 'content-type': contentType } = request.headers
  if (id !== event.id || type !== event.type || contentType !== 'application/json') throw new Error(`wrong headers of ${event.type}`)
  if (path.ids.has(event.id)) throw new Error(`${event.type} was told twice`)
  path.ids.add(event.id)
  judge(event)
  path.heard.add(event)
  // A customer who uses the SDK takes what that package takes; last, so that the order of arrival stays.
  const unwrapped = await unwrapEvent(bytes, request.headers['service-signature'], secret, { now: notBefore(request) })
  if (!isDeepStrictEqual(unwrapped, verified)) throw new Error(`the SDK reads another event ${event.type}`)
}

/** Tests move the gateway's clock ahead, which the other package passes over: to the SDK it is never earlier than the signature. */
function notBefore(request: IncomingMessage): Date {
  const [, seconds = '0'] = /t=(\d+)/.exec(String(request.headers['service-signature'])) ?? []
  return new Date(Math.max(Date.now(), Number(seconds) * 1_000))
}

function eventsOf(heard: Heard<ReceivedEvent>, { webhookId, secret }: Registered): TestEvents {
  return {
    webhookId,
    secret,
    all: heard.all,
    until: heard.until,
    of: (messageId, type) => heard.until((event) => event.type === type && event.data.id === messageId),
    kindsOf: (messageId) =>
      heard.all
        .filter((event) => event.data.id === messageId)
        .toSorted((a, b) => (a.id < b.id ? -1 : 1))
        .map((event) => event.type),
  }
}
