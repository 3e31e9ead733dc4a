import type { Socket } from 'node:net'
import { type buildConnector, Client, type Dispatcher } from 'undici'
import { isReset, StaleConnection } from './stranger-failure.ts'

/** The connection that a client has now, and how many requests it has taken. */
type Connection = { socket: Socket; requests: number }

/**
 * A client of one connection at a time, for a pool. Where a connection that has served before ends before any byte of an answer, its request
 * fails with `StaleConnection`; everything else fails as it does without.
 */
export function watchedClient(origin: URL, options: Client.Options & { connect: buildConnector.connector }): Client {
  let now: Connection | null = null
  const connect: buildConnector.connector = (asked, done) =>
    options.connect(asked, (...[error, socket]: Parameters<buildConnector.Callback>) => {
      if (socket !== null) now = { socket, requests: 0 }
      if (error === null) done(null, socket)
      else done(error, null)
    })
  const client = new Client(origin, { ...options, connect })
  const dispatch = client.dispatch.bind(client)
  client.dispatch = (call, handler) => {
    watch(handler, () => now)
    return dispatch(call, handler)
  }
  return client
}

/** Each handler is of one request, which its client takes once. */
function watch(handler: Dispatcher.DispatchHandler, connection: () => Connection | null): void {
  const { onRequestStart, onResponseError } = handler
  let used: { socket: Socket; bytesBefore: number } | null = null
  handler.onRequestStart = (controller, context) => {
    const now = connection()
    if (now !== null) {
      if (now.requests > 0) used = { socket: now.socket, bytesBefore: now.socket.bytesRead }
      now.requests += 1
    }
    onRequestStart?.call(handler, controller, context)
  }
  handler.onResponseError = (controller, error) => {
    const isStale = used !== null && used.socket.bytesRead === used.bytesBefore && isReset(error)
    onResponseError?.call(handler, controller, isStale ? new StaleConnection(error) : error)
  }
}
