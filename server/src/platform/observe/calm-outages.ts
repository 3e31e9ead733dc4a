import type { Observation, Observe } from './observation.ts'

/** Connections that end this long after another one did are of the same event. */
const sameEventMs = 10_000

/**
 * An observer for people: while the database is away, one line `database.away` stands for the failures of all loops and the connections that were
 * lost, and one line `database.back` for their recovery. All else passes. It is for the log alone: metrics count everything.
 */
export function calmOutages(observe: Observe, nowMs: () => number): Observe {
  const failing = new Set<string>()
  let away: { sinceMs: number; held: number } | null = null
  let lostMs = Number.NEGATIVE_INFINITY

  const hold = (because: unknown) => {
    if (away === null) {
      away = { sinceMs: nowMs(), held: 0 }
      observe({ kind: 'database.away', message: firstLine(because) })
    } else away.held += 1
  }
  return (observation) => {
    const { kind } = observation
    if (isLost(observation)) {
      if (away !== null) away.held += 1
      else if (nowMs() - lostMs >= sameEventMs) observe(observation)
      lostMs = nowMs()
    } else if (kind === 'lane.tick_failed' && observation.isAway === true) {
      failing.add(String(observation.lane))
      hold(observation.message)
    } else if (kind === 'lane.recovered' && failing.delete(String(observation.lane))) {
      if (failing.size > 0 || away === null) return
      observe({ kind: 'database.back', ms: Math.round(nowMs() - away.sinceMs), held: away.held })
      away = null
    } else observe(observation)
  }
}

const isLost = ({ kind }: Observation) => kind === 'database.connection_lost' || kind === 'auth.connection_lost'

const firstLine = (text: unknown) => String(text).split('\n')[0] ?? ''
