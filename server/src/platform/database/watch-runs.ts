import type { Vitals } from '../observe/vitals.ts'

/** What became of a run: `failed` as a whole, for something that is not the data of its items; `refused`: only data were. */
export type Fate = 'done' | 'refused' | 'failed'

/**
 * After so long without another failure one is no news any more: what nobody uses cannot show that it works again, and must not stand as failing
 * for ever. Longer than a run takes that waits for a lock in vain.
 */
const failureIsNewsMs = 20_000

export type RunWatch = {
  /** Something waits from now on, or a run has begun to take what waits. */
  moved(): void
  /** Nothing waits any more. */
  rests(): void
  /** Notes that a run begins. Returns a function that the run calls at its end. */
  began(): (fate: Fate) => void
}

/**
 * How a batcher does: stuck since a caller waits and no run has ended; failing since the first of the runs that failed one after another.
 * The first run that does its work, or 20 s without a failure, ends the failing.
 */
export function watchRuns({ name, vitals }: { name: string; vitals?: Vitals | undefined }): RunWatch {
  let movedMs: number | null = null
  let failing: { sinceMs: number; lastMs: number } | null = null
  const nowMs = () => vitals?.nowMs() ?? 0
  const failingNow = () => (failing !== null && nowMs() - failing.lastMs < failureIsNewsMs ? failing : null)
  const moved = () => {
    movedMs = vitals?.nowMs() ?? null
  }
  vitals?.add(`batch ${name}`, () => ({ stuckSinceMs: movedMs, failingSinceMs: failingNow()?.sinceMs ?? null }))
  return {
    moved,
    rests() {
      movedMs = null
    },
    began() {
      const beganMs = nowMs()
      return (fate) => {
        moved()
        // What refuses one caller's data says nothing of all others, neither good nor bad.
        if (fate === 'done') failing = null
        if (fate === 'failed') failing = { sinceMs: failingNow()?.sinceMs ?? beganMs, lastMs: nowMs() }
      }
    },
  }
}
