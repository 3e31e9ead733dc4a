import type { FastifyInstance } from 'fastify'
import type { Clock } from '../../base/clock.ts'

/** How long running requests may take to end once the server closes. */
const closeMsMax = 10_000

/** Bounds `app.close()`: new connections are refused at once, running requests may end, and what is left after 10 s is cut. */
export function closeWithin(app: FastifyInstance, clock: Clock): void {
  app.addHook('preClose', (done) => {
    const cancel = clock.after(closeMsMax, () => app.server.closeAllConnections())
    app.server.once('close', cancel)
    done()
  })
}
