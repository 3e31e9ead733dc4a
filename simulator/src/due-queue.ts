import type { Clock } from './clock.ts'

/** Runs work later. Work with the same delay runs in the order in which it was given; after `close` nothing runs any more. */
export type DueQueue = { after(delayMs: number, run: () => void): void; wait(delayMs: number): Promise<void>; close(): void }

/** Work that is due within the same two milliseconds shares one timer: at thousands of statuses a second, a timer each costs more than the status. */
const BUCKET_MS = 2

/** No timer has started yet. A promise of `wait` that is still open at `close` never resolves. */
export function createDueQueue(clock: Clock): DueQueue {
  const buckets = new Map<number, { timer: NodeJS.Timeout; work: (() => void)[] }>()
  let soon: (() => void)[] = []
  let closed = false

  const runSoon = () => {
    const work = soon
    soon = []
    runAll(work)
  }
  const runAll = (work: (() => void)[]) => {
    for (const run of work) if (!closed) run()
  }
  const after = (delayMs: number, run: () => void) => {
    if (closed) return
    if (delayMs <= 0) {
      if (soon.push(run) === 1) setImmediate(runSoon)
      return
    }
    const nowMs = clock.monotonicMs()
    const dueMs = Math.ceil((nowMs + delayMs) / BUCKET_MS) * BUCKET_MS
    const bucket = buckets.get(dueMs)
    if (bucket !== undefined) {
      bucket.work.push(run)
      return
    }
    const work = [run]
    const fire = () => {
      buckets.delete(dueMs)
      runAll(work)
    }
    buckets.set(dueMs, { timer: setTimeout(fire, dueMs - nowMs), work })
  }
  const close = () => {
    closed = true
    for (const bucket of buckets.values()) clearTimeout(bucket.timer)
    buckets.clear()
  }
  return { after, wait: (delayMs) => new Promise((resolve) => after(delayMs, resolve)), close }
}
