import type { Clock } from '../../base/clock.ts'

/** How many rows one bite takes: each is a transaction of its own, of a few milliseconds. */
export const biteRows = 5_000

/**
 * Repeats `bite` until it returns how few rows were left, or until `msMax` milliseconds are over. Returns whether more may be left: then
 * come again soon, since what comes in does not wait either.
 */
export async function inBites(clock: Pick<Clock, 'monotonicMs'>, msMax: number, bite: () => Promise<number>): Promise<boolean> {
  const untilMs = clock.monotonicMs() + msMax
  while ((await bite()) >= biteRows) if (clock.monotonicMs() >= untilMs) return true
  return false
}
