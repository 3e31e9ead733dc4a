import { type Clock, pause } from './base/clock.ts'
import { faultWords } from './platform/database/failure.ts'

export type StoppingObservation = { kind: 'stop.failed'; part: string; message: string }

/** What was started, to be stopped in the opposite order. */
export type Stopping = {
  /** `stop` is called once, by `stop()`; it is waited for, for at most `msMax` milliseconds. */
  add(part: string, msMax: number, stop: () => Promise<unknown>): void
  /** Stops everything, the last first. A part that fails, or does not end in time, keeps no other from being stopped. Never throws. */
  stop(): Promise<void>
}

export function createStopping(clock: Clock, observe: (observation: StoppingObservation) => void): Stopping {
  const parts: { part: string; msMax: number; stop: () => Promise<unknown> }[] = []
  return {
    add: (part, msMax, stop) => void parts.push({ part, msMax, stop }),
    async stop() {
      for (let next = parts.pop(); next !== undefined; next = parts.pop()) {
        const { part, msMax, stop } = next
        const failed = (error: unknown) => observe({ kind: 'stop.failed', part, message: faultWords(error) })
        const late = pause(clock, msMax).then(() => 'late')
        const ended = await Promise.race([
          Promise.resolve()
            .then(stop)
            .then(() => 'ended', failed),
          late,
        ])
        if (ended === 'late') observe({ kind: 'stop.failed', part, message: `it has not ended within ${msMax / 1_000} seconds` })
      }
    },
  }
}
