import type { Clock } from './clock.ts'

/** Says whether one more may pass now; one that passes is counted. */
export type Gate = { pass(key: string): boolean }

const WINDOW_MS = 1000

/** At most `perSecond(key)` in any window of one second, exactly: the times of the last ones are remembered for each key. */
export function createThroughputGate(clock: Clock, perSecond: (key: string) => number): Gate & { count(key: string): void } {
  const windows = new Map<string, { times: Float64Array; next: number }>()
  const windowOf = (key: string) => {
    const size = Math.max(1, perSecond(key))
    const known = windows.get(key)
    if (known !== undefined && known.times.length === size) return known
    const fresh = { times: new Float64Array(size).fill(Number.NEGATIVE_INFINITY), next: 0 }
    windows.set(key, fresh)
    return fresh
  }
  const count = (key: string) => {
    const window = windowOf(key)
    window.times[window.next] = clock.monotonicMs()
    window.next = (window.next + 1) % window.times.length
  }
  const pass = (key: string) => {
    const window = windowOf(key)
    const oldestMs = window.times[window.next] ?? Number.NEGATIVE_INFINITY
    if (clock.monotonicMs() - oldestMs < WINDOW_MS) return false
    count(key)
    return true
  }
  return { pass, count }
}

/** One message to one person every `perMessageMs`, after a burst of `burst` that is paid back by waiting. */
export type PairLimit = { perMessageMs: number; burst: number }

/** Pairs that are remembered; the ones that waited longest are forgotten first, which can only let a message pass. */
const PAIRS_MAX = 100_000

/** The limit between one number and one person; `key` names the pair. */
export function createPairGate(clock: Clock, limit: PairLimit): Gate {
  const paidUntilMs = new Map<string, number>()
  const pass = (key: string) => {
    const nowMs = clock.monotonicMs()
    const fromMs = Math.max(nowMs, paidUntilMs.get(key) ?? nowMs)
    if (fromMs - nowMs > (limit.burst - 1) * limit.perMessageMs) return false
    paidUntilMs.delete(key)
    paidUntilMs.set(key, fromMs + limit.perMessageMs)
    if (paidUntilMs.size > PAIRS_MAX) for (const oldest of paidUntilMs.keys()) return paidUntilMs.delete(oldest)
    return true
  }
  return { pass }
}
