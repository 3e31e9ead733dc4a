import type { Figure, Limit } from './benchmark.ts'

/** The middle one, or the mean of the two in the middle; NaN for none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}

/** The smallest value that at least `share` of them do not exceed. */
export function percentile(values: ArrayLike<number>, share: number): number {
  const sorted = Float64Array.from(values).sort()
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN
}

/** Run by run, because the two of one run met the same machine. */
export function ratios(ours: readonly number[], baseline: readonly number[]): number[] {
  return ours.map((each, i) => each / (baseline[i] ?? Number.NaN))
}

/** Null for a figure without a goal. */
export function isMet({ values, goal }: Figure): boolean | null {
  if (goal === null) return null
  const value = median(values)
  if ('atLeast' in goal) return value >= goal.atLeast
  if ('atMost' in goal) return value <= goal.atMost
  return value >= goal.between[0] && value <= goal.between[1]
}

/** Sends a second between the first and the last of so many moments. */
export function rateOf(count: number, firstMs: number, lastMs: number): number {
  return ((count - 1) * 1_000) / (lastMs - firstMs)
}

export function goalText(goal: Limit): string {
  if ('atLeast' in goal) return `≥ ${numberText(goal.atLeast)}`
  if ('atMost' in goal) return `≤ ${numberText(goal.atMost)}`
  return `${numberText(goal.between[0])} – ${numberText(goal.between[1])}`
}

/** Three digits that count, and thousands with a comma. */
export function numberText(value: number): string {
  return value.toLocaleString('en-US', value >= 1_000 ? { maximumFractionDigits: 0 } : { maximumSignificantDigits: 3 })
}
