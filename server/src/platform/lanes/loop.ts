import type { Clock } from '../../base/clock.ts'
import { isAway } from '../database/failure.ts'
import type { Vitals } from '../observe/vitals.ts'

export type LoopObservation =
  /** `isAway`: the database is away, which every loop notices. */
  | { kind: 'lane.tick_failed'; lane: string; message: string; isAway: boolean }
  /** The first tick that ended well after some that failed; `ms`: since the first of these began. */
  | { kind: 'lane.recovered'; lane: string; ms: number }

export type LoopOptions = {
  name: string
  clock: Clock
  observe: (observation: LoopObservation) => void
  /**
   * How far apart ticks begin at least. The first after a rest begins at once; under load each then finds more to do, where each would
   * cost the same for little. Left out: as soon as the one before has ended.
   */
  spacingMs?: number
  /** Whom the loop tells how it does; left out: nobody asks. */
  vitals?: Vitals | undefined
  /** One bounded piece of work. Answers after how many milliseconds to look again when nobody wakes the loop before. */
  tick: () => Promise<number>
}

export type Loop = {
  /** Asks for a tick soon. A hint: it may be called at any time, any number of times. */
  wake(): void
  /** Resolves when the tick under way, if there is one, has ended. */
  resting(): Promise<void>
  /** Resolves when the tick under way has ended; no other follows. */
  stop(): Promise<void>
}

/** How long a loop waits after a failed tick, growing to the last: the database may be away for long. */
const failureDelaysMs = [50, 200, 1_000, 2_000]

/** Runs ticks one after another: soon when woken, else when the last one asked for it. A tick that throws is observed and tried again. */
export function startLoop(options: LoopOptions): Loop {
  let stopped = false
  let woken = false
  let running: Promise<void> | null = null
  let cancelTimer = () => {}
  let failures = 0
  let beganMs = Number.NEGATIVE_INFINITY
  let dueMs = options.clock.monotonicMs()
  let failingSinceMs: number | null = null
  const forget = options.vitals?.add(`loop ${options.name}`, () => ({ stuckSinceMs: running === null ? dueMs : beganMs, failingSinceMs }))

  const schedule = (ms: number) => {
    cancelTimer()
    dueMs = options.clock.monotonicMs() + ms
    if (!stopped) cancelTimer = options.clock.after(ms, start)
  }
  const spacedMs = () => beganMs + (options.spacingMs ?? 0) - options.clock.monotonicMs()
  const startSoon = () => {
    const waitMs = spacedMs()
    if (waitMs > 0) schedule(waitMs)
    else setImmediate(start)
  }
  const run = async () => {
    // Whoever wakes us from here on has seen something that this tick may miss.
    woken = false
    beganMs = options.clock.monotonicMs()
    let nextMs: number
    try {
      nextMs = await options.tick()
      if (failingSinceMs !== null)
        options.observe({ kind: 'lane.recovered', lane: options.name, ms: Math.round(options.clock.monotonicMs() - failingSinceMs) })
      failures = 0
      failingSinceMs = null
    } catch (error) {
      nextMs = failureDelaysMs[Math.min(failures, failureDelaysMs.length - 1)] ?? 0
      failures += 1
      failingSinceMs ??= beganMs
      options.observe({
        kind: 'lane.tick_failed',
        lane: options.name,
        message: error instanceof Error ? (error.stack ?? error.message) : String(error),
        isAway: isAway(error),
      })
    }
    running = null
    if (woken && failures === 0) startSoon()
    else schedule(Math.max(nextMs, spacedMs()))
  }
  const start = () => {
    if (stopped || running !== null) return
    cancelTimer()
    running = run()
  }

  schedule(0)
  return {
    wake() {
      if (woken) return
      woken = true
      if (running === null) startSoon()
    },
    async resting() {
      await running
    },
    async stop() {
      stopped = true
      forget?.()
      cancelTimer()
      await running
    },
  }
}
