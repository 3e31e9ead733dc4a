/** Spaces the starts of one lane. All times are monotonic milliseconds. */
export type Pacer = {
  /** From when on the next start is allowed. */
  readyAt(): number
  /** Notes a start at this moment. */
  take(nowMs: number): void
  /** The start that was noted at `takenMs` has really happened only now: what prepared it took until then. */
  left(takenMs: number, nowMs: number): void
  /** Halves the pace, at most once a second, which then climbs back by one a second each second. */
  halve(nowMs: number): void
  /** Another ceiling, for a number that changed its kind. */
  limitTo(perSecond: number): void
}

/** A timer that fires late must not cost pace: up to two starts are made up for, so that there is never a burst. */
const startsMadeUpMax = 2
/**
 * Hardly more than the second of the rule: what a start's preparation takes, from when it is taken until it leaves, comes on top of it, and
 * is more than what jitter on the way could take off.
 */
const windowMs = 1_001

/**
 * At most `perSecond` starts in any second, evenly spaced. Until `slowUntilMs`, a second after the lane was taken over, it
 * runs at half pace: the owner before us may have started as many as allowed a moment ago, and the two together must not
 * exceed the pace (rule: queue 5).
 */
export function createPacer(perSecond: number, nowMs: number, slowUntilMs: number): Pacer {
  let ceiling = perSecond
  let halvedTo: number | null = null
  let halvedAtMs = Number.NEGATIVE_INFINITY
  let nextMs = nowMs
  let starts: number[] = []

  const rateAt = (atMs: number) => (halvedTo === null ? ceiling : Math.min(ceiling, halvedTo + (atMs - halvedAtMs) / 1_000))
  return {
    readyAt() {
      const oldest = starts.length < ceiling ? undefined : starts[starts.length - ceiling]
      return oldest === undefined ? nextMs : Math.max(nextMs, oldest + windowMs)
    },
    take(atMs) {
      const spacingMs = ((atMs < slowUntilMs ? 2 : 1) * 1_000) / rateAt(atMs)
      nextMs = Math.max(nextMs, atMs - startsMadeUpMax * spacingMs) + spacingMs
      starts.push(atMs)
      if (starts.length > 2 * ceiling) starts = starts.slice(-ceiling)
    },
    left(takenMs, atMs) {
      // Else those that were held up would leave together with the next ones, more than a second may have.
      const place = starts.lastIndexOf(takenMs)
      if (place >= 0) starts[place] = atMs
    },
    halve(atMs) {
      // Answers to starts of the old pace tell nothing new.
      if (atMs - halvedAtMs < 1_000) return
      halvedTo = Math.max(1, rateAt(atMs) / 2)
      halvedAtMs = atMs
    },
    limitTo(next) {
      ceiling = next
    },
  }
}
