import { isTimeLimit } from '../../platform/database/failure.ts'

/** After so many failures an item is set aside, so that it stops nobody. */
const triesMax = 3
/** A limit of time says nothing against the item: a database that is slow for some minutes sets no healthy one aside. About an hour. */
const triesAgainstTimeMax = 60
const delaysMs = [1_000, 5_000]
const lastDelayMs = 60_000

/** rule: receive 7. Whether the try that failed so was the last one; `tries` failed before it. */
export const isLastTry = (tries: number, because: unknown): boolean => tries + 1 >= (isTimeLimit(because) ? triesAgainstTimeMax : triesMax)

/** How long after a failed try the next one begins, in milliseconds; `tries` failed before it. */
export const retryDelayMs = (tries: number): number => delaysMs[tries] ?? lastDelayMs
