import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import Stripe from 'stripe'
import { ownPath } from '../own-path.ts'
import { until } from './until.ts'

/** One event as a customer's program took it. */
export type Receipt = {
  path: string
  atMs: number
  eventId: string
  type: string
  rawBody: string
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what the wire says, not what our types promise
  event: any
}

export type EventReceiver = {
  urlOf(path: string): string
  /** The secret that the events of a path are signed with; told once, when the webhook was registered. */
  signedWith(path: string, secret: string): void
  /** How a path answers from now on; 204 until told. The answer may also be kept, dripped or never ended. */
  answer(path: string, how: (response: ServerResponse) => void): void
  /** Everything taken so far. Throws when a signature was not right: such a gateway must not pass a test. */
  receipts(): readonly Receipt[]
  /** Waits for so many events of a kind about a message. */
  waitFor(what: { type: string; messageId: string }, msMax: number): Promise<Receipt>
  close(): Promise<void>
}

const { webhooks } = new Stripe('sk_test_x')
/** Between the signing of an attempt and its arrival, on a loaded machine. */
const toleranceSeconds = 15

type Arrival = { path: string; atMs: number; rawBody: Buffer; header: string; eventId: string }

/** A customer's receiver of events, over real HTTP, that checks each signature with a public package which knows nothing of us. */
export async function startEventReceiver(): Promise<EventReceiver> {
  const arrivals: Arrival[] = []
  const secrets = new Map<string, string>()
  const answers = new Map<string, (response: ServerResponse) => void>()
  const own = ownPath()
  const server = createServer((request, response) => {
    if (!request.url?.startsWith(own)) return void response.writeHead(404).end()
    const path = request.url.slice(own.length)
    buffer(request).then(
      (rawBody) => {
        const { 'service-signature': header, 'service-event-id': eventId } = request.headers
        arrivals.push({ path, atMs: Date.now(), rawBody, header: String(header), eventId: String(eventId) })
        const answer = answers.get(path)
        if (answer === undefined) response.writeHead(204).end()
        else answer(response)
      },
      () => response.destroy(),
    )
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const receipts = () => arrivals.map((each) => receiptOf(each, secrets.get(each.path) ?? 'none'))
  return {
    urlOf: (path) => `http://127.0.0.1:${port}${own}${path}`,
    signedWith: (path, secret) => void secrets.set(path, secret),
    answer: (path, how) => void answers.set(path, how),
    receipts,
    waitFor: ({ type, messageId }, msMax) =>
      until(
        `the event ${type} of ${messageId}`,
        () => receipts().find((each) => each.type === type && each.event.data.id === messageId) ?? null,
        msMax,
      ),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function receiptOf({ path, atMs, rawBody, header, eventId }: Arrival, secret: string): Receipt {
  // Throws when the bytes, the secret or the moment do not fit.
  const event = webhooks.constructEvent(rawBody, header, secret, toleranceSeconds, undefined, atMs)
  if (event.id !== eventId) throw new Error(`The header names ${eventId}, the body ${event.id}.`)
  return { path, atMs, eventId, type: event.type, rawBody: rawBody.toString(), event }
}
