import { type Clock, pause } from './base/clock.ts'
import { faultWords } from './platform/database/failure.ts'
import { type StopStage, smallPartMsMax, stopMsMax } from './stop-bounds.ts'

export type StoppingObservation = { kind: 'stop.failed'; part: string; message: string }

/** What was started, to be stopped in the opposite order. */
export type Stopping = {
  /**
   * `stop` is called once, by `stop()`, and waited for as long as its stage has time left. All parts of a stage share its time; a small part
   * has 4 s of it at most.
   */
  add(part: string, stage: StopStage, stop: () => Promise<unknown>): void
  /** Stops everything, the last first. A part that fails, or does not end in time, keeps no other from being stopped. Never throws. */
  stop(): Promise<void>
}

export function createStopping(clock: Clock, observe: (observation: StoppingObservation) => void): Stopping {
  const parts: { part: string; stage: StopStage; stop: () => Promise<unknown> }[] = []
  const leftMs: Record<StopStage, number> = { ...stopMsMax }

  /** Resolves when the part has ended, or its time is over. */
  const end = async ({ part, stage, stop }: (typeof parts)[number]): Promise<void> => {
    const beganMs = clock.monotonicMs()
    const msMax = stage === 'small' ? Math.min(leftMs.small, smallPartMsMax) : leftMs[stage]
    const failed = (error: unknown) => observe({ kind: 'stop.failed', part, message: faultWords(error) })
    const late = pause(clock, msMax).then(() => 'late')
    const ended = await Promise.race([
      Promise.resolve()
        .then(stop)
        .then(() => 'ended', failed),
      late,
    ])
    leftMs[stage] = Math.max(0, leftMs[stage] - (clock.monotonicMs() - beganMs))
    if (ended === 'late') observe({ kind: 'stop.failed', part, message: `it has not ended within ${Math.round(msMax) / 1_000} seconds` })
  }

  return {
    add: (part, stage, stop) => void parts.push({ part, stage, stop }),
    async stop() {
      for (let next = parts.pop(); next !== undefined; next = parts.pop()) await end(next)
    },
  }
}
