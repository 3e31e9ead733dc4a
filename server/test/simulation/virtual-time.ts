import type { Clock } from '../../src/base/clock.ts'

/** Whether a simulated process runs, stands still (its timers and answers wait), or is gone for ever. */
export type Life = { state: 'running' | 'paused' | 'dead' }

/** A `happening` is something of the world: a request, an answer, a fault. All else is a process that looks whether there is work. */
export type Timer = { life: Life; dueMs: number; kind: 'happening' | 'look'; work: () => void }

/** The one time of a simulation, in milliseconds since 1970. It moves only when told. */
export type VirtualTime = {
  nowMs(): number
  at(timer: Timer): () => void
  /** When the next thing happens in the world; Infinity: nothing is planned. */
  nextHappeningMs(): number
  /** Moves to the first timer of what runs, lets it work and answers its kind; null: there is none. */
  fireNext(): Timer['kind'] | null
  /** Moves without letting anything work, as a machine that was suspended. */
  jumpTo(ms: number): void
  /** Grows whenever a timer is set or taken back: how the driver sees that something is still going on. */
  changes(): number
}

export function virtualTime(startMs: number): VirtualTime {
  let nowMs = startMs
  let changes = 0
  let timers: Timer[] = []
  const next = (isWanted: (timer: Timer) => boolean): Timer | null => {
    let first: Timer | null = null
    for (const timer of timers) if (isWanted(timer) && (first === null || timer.dueMs < first.dueMs)) first = timer
    return first
  }
  const remove = (timer: Timer) => {
    changes += 1
    timers = timers.filter((each) => each !== timer && each.life.state !== 'dead')
  }
  return {
    nowMs: () => nowMs,
    at(planned) {
      changes += 1
      // Whole milliseconds, as the system's timers have: what the database keeps of a moment must be all of it.
      const timer = { ...planned, dueMs: Math.ceil(planned.dueMs) }
      timers.push(timer)
      return () => remove(timer)
    },
    nextHappeningMs: () => next(({ kind, life }) => kind === 'happening' && life.state === 'running')?.dueMs ?? Number.POSITIVE_INFINITY,
    fireNext() {
      const timer = next(({ life }) => life.state === 'running')
      if (timer === null) return null
      remove(timer)
      nowMs = Math.max(nowMs, timer.dueMs)
      timer.work()
      return timer.kind
    },
    jumpTo(ms) {
      nowMs = Math.max(nowMs, ms)
    },
    changes: () => changes,
  }
}

/** The clock of one process: its timers wait while it stands still, and die with it. */
export function clockOf(time: VirtualTime, life: Life): Clock {
  return {
    now: () => new Date(time.nowMs()),
    monotonicMs: () => time.nowMs(),
    after: (ms, work) => time.at({ life, dueMs: time.nowMs() + Math.max(ms, 0), kind: 'look', work }),
  }
}
