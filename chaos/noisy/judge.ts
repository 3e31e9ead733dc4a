import type { Felt } from './neighbours.ts'

/** From when to when, by the wall clock in Unix milliseconds. */
export type Span = { fromMs: number; toMs: number }

type What = 'send' | 'event' | 'console'
export const whats: readonly What[] = ['send', 'event', 'console']

/** In milliseconds: what the machine may do by itself is not judged. */
export type Floors = { readonly [Each in What]: number }

export type Figures = { [Each in What]: { count: number; p50Ms: number; p99Ms: number } } & { failed: number; notReady: number }

/** What all neighbours together felt in these spans; what began in them counts, whenever it ended. */
export function figuresOf(felt: readonly Felt[], spans: readonly Span[]): Figures {
  const within = felt.filter(({ atMs }) => spans.some(({ fromMs, toMs }) => atMs >= fromMs && atMs < toMs))
  const of = (what: What) => {
    const took = within.filter((each) => each.what === what).map((each) => each.tookMs ?? Number.POSITIVE_INFINITY)
    took.sort((a, b) => a - b)
    const at = (share: number) => took[Math.max(0, Math.ceil(share * took.length) - 1)] ?? Number.NaN
    return { count: took.length, p50Ms: at(0.5), p99Ms: at(0.99) }
  }
  return {
    send: of('send'),
    event: of('event'),
    console: of('console'),
    failed: within.filter(
      (each) => each.what !== 'ready' && each.what !== 'event' && each.status !== null && (each.status === 0 || each.status >= 500),
    ).length,
    notReady: within.filter((each) => each.what === 'ready' && each.status !== null && each.status !== 200).length,
  }
}

const timesMax = 2

/** How much slower they were beside than alone, or than what is not judged. */
export const ratioOf = (what: What, alone: Figures, beside: Figures, floors: Floors): number =>
  beside[what].p99Ms / Math.max(alone[what].p99Ms, floors[what] / timesMax)

/** What somebody felt beside that they may not feel; empty: nothing. */
export function problemsOf(alone: Figures, beside: Figures, floors: Floors): string[] {
  const slow = whats.flatMap((what) => {
    const { count, p99Ms } = beside[what]
    if (count === 0) return [`no ${what} at all`]
    const most = Math.max(timesMax * alone[what].p99Ms, floors[what])
    return p99Ms > most ? [`${what}: p99 ${Math.round(p99Ms)} ms, at most ${Math.round(most)}`] : []
  })
  return [
    ...slow,
    ...(beside.failed > 0 ? [`${beside.failed} calls of others failed`] : []),
    ...(beside.notReady > 0 ? [`/ready was not 200 ${beside.notReady} times`] : []),
  ]
}
