/** After so many failures an item is set aside, so that it stops nobody. */
const triesMax = 3
const delaysMs = [1_000, 5_000]

/** rule: receive 7. Whether the try that failed was the last one; `tries` failed before it. What took too long is not counted (rule: receive 16). */
export const isLastTry = (tries: number): boolean => tries + 1 >= triesMax

/** How long after a failed try the next one begins, in milliseconds; `tries` failed before it. */
export const retryDelayMs = (tries: number): number => delaysMs[tries] ?? Math.max(...delaysMs)
