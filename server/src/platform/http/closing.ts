import type { Server } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Clock } from '../../base/clock.ts'

/** How long running requests may take to end once the server closes. */
const closeMsMax = 10_000

/**
 * Bounds `app.close()`: new connections are refused at once, running requests may end, and what is left after 10 s is cut. `listening`: the
 * server that listens where Fastify itself does not. Returns how it is told that the end is near: answers then end their connections.
 */
export function closeWithin(app: FastifyInstance, clock: Clock, listening: Server | null): { drain(): void; isDraining(): boolean } {
  let draining = false
  let closing = false
  let closed: Promise<void> | null = null
  app.addHook('preClose', (done) => {
    closing = true
    draining = true
    const cancel = clock.after(closeMsMax, () => app.server.closeAllConnections())
    app.server.once('close', cancel)
    closed = listening === null ? null : new Promise((resolve) => listening.close(() => resolve()))
    done()
  })
  app.addHook('onClose', async () => closed ?? undefined)
  // A caller that keeps its connection would come back to a process that is about to end.
  app.addHook('onRequest', (_request, reply, done) => {
    if (draining) reply.header('connection', 'close')
    done()
  })
  // Node ends the connections that are idle when the server closes. One whose request ends later would be kept for the
  // caller's next request, and hold up the close until it times out.
  app.addHook('onResponse', (_request, _reply, done) => {
    if (closing) setImmediate(() => app.server.closeIdleConnections())
    done()
  })
  return {
    drain() {
      draining = true
    },
    isDraining: () => draining,
  }
}
