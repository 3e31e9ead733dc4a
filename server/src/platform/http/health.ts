import type { FastifyInstance } from 'fastify'
import type { Clock } from '../../base/clock.ts'
import type { HttpObservation } from './observation.ts'

/** One thing that must work before this process should be sent requests. `note` is public: no addresses, no secrets. */
export type ReadinessCheck = { name: string; check: () => Promise<{ ok: boolean; note?: string }> }

type Deps = { clock: Clock; observe: (observation: HttpObservation) => void; readiness: readonly ReadinessCheck[] }
type Outcome = { ok: boolean; note?: string }

/** A check that takes longer has failed. */
const checkMsMax = 2_000

/** `/health`: the process runs. `/ready`: each check with its outcome, 503 when one fails. */
export function healthRoutes(app: FastifyInstance, deps: Deps): void {
  app.get('/health', async () => ({ status: 'ok' }))

  let wasReady = true
  app.get('/ready', async (_request, reply) => {
    const outcomes = await Promise.all(deps.readiness.map(({ check }) => within(deps.clock, check)))
    const checks = Object.fromEntries(deps.readiness.map(({ name }, i) => [name, outcomes[i]]))
    const failing = deps.readiness.filter((_each, i) => outcomes[i]?.ok !== true).map(({ name }) => name)
    const ready = failing.length === 0
    if (ready !== wasReady) deps.observe({ kind: 'readiness.changed', ready, failing })
    wasReady = ready
    reply.code(ready ? 200 : 503).header('cache-control', 'no-store')
    return { status: ready ? 'ready' : 'not_ready', checks }
  })
}

async function within(clock: Clock, check: ReadinessCheck['check']): Promise<Outcome> {
  return new Promise<Outcome>((resolve) => {
    const cancel = clock.after(checkMsMax, () => resolve({ ok: false, note: `no answer within ${checkMsMax / 1000} seconds` }))
    const settle = (outcome: Outcome) => {
      cancel()
      resolve(outcome)
    }
    // What was thrown may name hosts and users, so it is not shown.
    Promise.resolve()
      .then(check)
      .then(settle, () => settle({ ok: false, note: 'the check itself failed' }))
  })
}
