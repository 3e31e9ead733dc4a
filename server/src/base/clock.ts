/** Time, passed in: features never read a clock of their own, so that tests and the simulation can move it. */
export type Clock = {
  /** The moment now, corrected to the database's clock where `correctBy` was told. */
  now(): Date
  /** Milliseconds that never jump; only differences mean anything. */
  monotonicMs(): number
  /** Runs `work` once after `ms` milliseconds; the answer cancels it. A pending timer does not keep the process alive. */
  after(ms: number, work: () => void): () => void
}

/** Resolves after `ms` milliseconds of the clock, or once `signal` aborts. It does not keep the process alive. */
export function pause(clock: Pick<Clock, 'after'>, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const wake = () => {
      cancel()
      signal?.removeEventListener('abort', wake)
      resolve()
    }
    const cancel = clock.after(ms, wake)
    signal?.addEventListener('abort', wake)
    if (signal?.aborted) wake()
  })
}

/** setTimeout turns anything above this into 1 ms. */
const timerMsMax = 2 ** 31 - 1

export type SystemClock = Clock & {
  /** Sets the measured difference to the database's clock, in milliseconds. */
  correctBy(offsetMs: number): void
}

/**
 * This machine's time in Unix milliseconds, uncorrected: the wall clock as of the start of the process, carried on by monotonic time.
 * A wall clock that is set anew while we work moves nothing.
 */
export function machineMs(): number {
  return performance.timeOrigin + performance.now()
}

/** How far the wall clock is ahead of `machineMs`, in milliseconds: another value when it was set, or when the machine has slept. */
export function wallClockAheadMs(): number {
  return Date.now() - machineMs()
}

export function systemClock(): SystemClock {
  let offsetMs = 0
  return {
    now: () => new Date(machineMs() + offsetMs),
    monotonicMs: () => performance.now(),
    after(ms, work) {
      const timer = setTimeout(work, Math.min(Math.max(ms, 0), timerMsMax))
      timer.unref()
      return () => clearTimeout(timer)
    },
    correctBy(next) {
      offsetMs = next
    },
  }
}

export type ManualClock = Clock & {
  /** Moves time forward and runs what falls due on the way, in order. */
  advance(ms: number): void
}

/** A clock that moves only when told. */
export function manualClock(start: string): ManualClock {
  let nowMs = Date.parse(start)
  let timers: { dueMs: number; work: () => void }[] = []
  return {
    now: () => new Date(nowMs),
    monotonicMs: () => nowMs,
    after(ms, work) {
      const timer = { dueMs: nowMs + Math.max(ms, 0), work }
      timers.push(timer)
      return () => {
        timers = timers.filter((each) => each !== timer)
      }
    },
    advance(ms) {
      const endMs = nowMs + ms
      for (;;) {
        const next = timers.filter((each) => each.dueMs <= endMs).sort((a, b) => a.dueMs - b.dueMs)[0]
        if (next === undefined) break
        timers = timers.filter((each) => each !== next)
        nowMs = Math.max(nowMs, next.dueMs)
        next.work()
      }
      nowMs = endMs
    },
  }
}
