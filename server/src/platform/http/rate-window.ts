import type { Clock } from '../../base/clock.ts'

/** The state of one limit right after a call was counted. */
export type RateWindow = {
  /** False: this call is one too many. */
  admitted: boolean
  limit: number
  remaining: number
  /** Whole seconds, at least 1, until the window ends. */
  resetSeconds: number
}

/** Counts a call of a key, here or in a store that processes share. */
export type TakeFrom = (key: string) => RateWindow | Promise<RateWindow>

/** The same, and one that was counted can be given back, as if it had not been. */
export type Windows = TakeFrom & { giveBack(key: string): void }

type Options = { clock: Clock; max: number; windowMs: number; keysMax: number }

/**
 * Counts calls per key in fixed windows that begin with a key's first call. In memory and synchronous, because every
 * call comes through here; by the clock that never jumps.
 */
export function createRateWindows({
  clock,
  max,
  windowMs,
  keysMax,
}: Options): ((key: string) => RateWindow) & { giveBack(key: string): void } {
  // All windows are equally long, so the map's order of insertion is also the order in which they end.
  const windows = new Map<string, { used: number; endsMs: number }>()

  const forgetEnded = (nowMs: number) => {
    for (const [key, { endsMs }] of windows) {
      // A flood of new keys pushes out the oldest windows: memory is worth more than their last seconds.
      if (endsMs > nowMs && windows.size < keysMax) break
      windows.delete(key)
    }
  }

  const take = (key: string) => {
    const nowMs = clock.monotonicMs()
    let window = windows.get(key)
    if (window === undefined || window.endsMs <= nowMs) {
      windows.delete(key)
      forgetEnded(nowMs)
      window = { used: 0, endsMs: nowMs + windowMs }
      windows.set(key, window)
    }
    window.used += 1
    return rateWindow(max, window.used, window.endsMs - nowMs)
  }
  const giveBack = (key: string) => {
    const window = windows.get(key)
    if (window !== undefined && window.used > 0) window.used -= 1
  }
  return Object.assign(take, { giveBack })
}

export function rateWindow(limit: number, used: number, leftMs: number): RateWindow {
  // Monotonic time has fractions, and 60,000 ms of it may come out a trifle longer: that must not become 61 seconds.
  const resetSeconds = Math.max(1, Math.ceil(Math.round(leftMs) / 1000))
  return { admitted: used <= limit, limit, remaining: Math.max(0, limit - used), resetSeconds }
}
