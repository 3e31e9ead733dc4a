import type { Clock } from '../../base/clock.ts'

/** How one part of the work does now, by moments of the monotonic clock; null: it does not. */
export type Sign = {
  /** Since when something waits in it and nothing has ended. */
  stuckSinceMs: number | null
  /** Since when each try has failed for something that is not one item's own. */
  failingSinceMs: number | null
}

export type PartOfWork = { name: string; stuckMs: number; failingMs: number }

/** The loops and batches of this process, which say themselves how they do. */
export type Vitals = {
  nowMs(): number
  /** Lets `read` be asked until the returned function is called. A name that is there already stands for both. */
  add(name: string, read: () => Sign): () => void
  /** For how long each part has been stuck, and has failed; 0: not at all. */
  all(): PartOfWork[]
}

export function createVitals(clock: Pick<Clock, 'monotonicMs'>): Vitals {
  const parts = new Set<{ name: string; read: () => Sign }>()
  const sinceMs = (moment: number | null) => (moment === null ? 0 : Math.max(0, clock.monotonicMs() - moment))
  return {
    nowMs: () => clock.monotonicMs(),
    add(name, read) {
      const part = { name, read }
      parts.add(part)
      return () => void parts.delete(part)
    },
    all: () =>
      [...parts].map(({ name, read }) => {
        const sign = read()
        return { name, stuckMs: sinceMs(sign.stuckSinceMs), failingMs: sinceMs(sign.failingSinceMs) }
      }),
  }
}
