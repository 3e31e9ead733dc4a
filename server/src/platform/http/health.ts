import type { FastifyInstance } from 'fastify'
import type { Clock } from '../../base/clock.ts'
import type { HttpObservation } from './observation.ts'

/** One thing that must work before this process should be sent requests. `note` is public: no addresses, no secrets. */
export type ReadinessCheck = { name: string; check: () => Promise<{ ok: boolean; note?: string }> }

type Deps = {
  clock: Clock
  observe: (observation: HttpObservation) => void
  readiness: readonly ReadinessCheck[]
  /** What stands still for ever while the database works, so that only a new process helps; left out: nothing does. */
  dead?: (() => readonly string[]) | undefined
}
type Outcome = { ok: boolean; note?: string }
type Look = { ready: boolean; checks: Readonly<Record<string, Outcome>> }

/** A check that takes longer has failed. */
const checkMsMax = 2_000
/** Anybody may ask, as often as they like: the checks are made once in so long. */
const lookEveryMs = 1_000

/**
 * `/health`: a restart would not help. `/ready`: each check with its outcome, 503 when one fails, or while the process is about to stop.
 * Both are looked at once a second at most, whoever asks.
 */
export function healthRoutes(app: FastifyInstance, deps: Deps, isDraining: () => boolean): void {
  const look = sharedLook(deps)
  app.get('/health', async (_request, reply) => {
    reply.header('cache-control', 'no-store')
    const dead = deps.dead?.() ?? []
    // While the database is away nothing can move, and a restart would only lose what is in memory.
    if (dead.length === 0 || (await look()).checks.database?.ok !== true) return { status: 'ok' }
    reply.code(503)
    return { status: 'stuck', stuck: dead }
  })
  app.get('/ready', async (_request, reply) => {
    const { ready, checks } = await look()
    const draining = isDraining()
    reply.code(ready && !draining ? 200 : 503).header('cache-control', 'no-store')
    return { status: draining ? 'draining' : ready ? 'ready' : 'not_ready', checks }
  })
}

/** Whoever asks while the checks run, or within a second after they began, has their outcome. */
function sharedLook(deps: Deps): () => Promise<Look> {
  let last: { beganMs: number; look: Promise<Look> } | null = null
  let wasReady = true
  const make = async (): Promise<Look> => {
    const outcomes = await Promise.all(deps.readiness.map(({ check }) => within(deps.clock, check)))
    const checks = Object.fromEntries(deps.readiness.map(({ name }, i) => [name, outcomes[i] as Outcome]))
    const failing = Object.keys(checks).filter((name) => checks[name]?.ok !== true)
    const ready = failing.length === 0
    if (ready !== wasReady) deps.observe({ kind: 'readiness.changed', ready, failing })
    wasReady = ready
    return { ready, checks }
  }
  return () => {
    const nowMs = deps.clock.monotonicMs()
    if (last === null || nowMs - last.beganMs >= lookEveryMs) last = { beganMs: nowMs, look: make() }
    return last.look
  }
}

/** What the operating system says in one word, in words; anything else stays untold. */
const notes: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of the disk is used up',
  EROFS: 'the disk is read-only',
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
}

const noteOf = (error: unknown): string =>
  notes[error instanceof Error && 'code' in error ? String(error.code) : ''] ?? 'the check itself failed'

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
      .then(settle, (error: unknown) => settle({ ok: false, note: noteOf(error) }))
  })
}
