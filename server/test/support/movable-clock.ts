import { type SystemClock, systemClock } from '../../src/base/clock.ts'

export type MovableClock = SystemClock & {
  /** Sets the moment of now; from there time goes on. */
  moveTo(moment: string): void
}

/** A clock that runs like the system's, its timers too, but at another moment, and that follows no database. */
export function movableClock(start: string): MovableClock {
  const real = systemClock()
  let aheadMs = 0
  const moveTo = (moment: string) => {
    aheadMs = Date.parse(moment) - real.now().getTime()
  }
  moveTo(start)
  return { ...real, now: () => new Date(real.now().getTime() + aheadMs), correctBy: () => {}, moveTo }
}
