import type { FastifyInstance } from 'fastify'
import type { Clock } from '../../base/clock.ts'

/** How long running requests may take to end once the server closes. */
const closeMsMax = 10_000

/** Bounds `app.close()`: new connections are refused at once, running requests may end, and what is left after 10 s is cut. */
export function closeWithin(app: FastifyInstance, clock: Clock): void {
  let closing = false
  app.addHook('preClose', (done) => {
    closing = true
    const cancel = clock.after(closeMsMax, () => app.server.closeAllConnections())
    app.server.once('close', cancel)
    done()
  })
  // Node ends the connections that are idle when the server closes. One whose request ends later would be kept for the
  // caller's next request, and hold up the close until it times out.
  app.addHook('onResponse', (_request, _reply, done) => {
    if (closing) setImmediate(() => app.server.closeIdleConnections())
    done()
  })
}
