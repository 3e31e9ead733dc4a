import { crashpoints } from '../server/src/base/crashpoint.ts'
import { dealt, type Random, randomOf } from './random.ts'
import { type PlannedTrouble, planTroubles } from './troubles.ts'

/** One fault of the list in the order of cost: what is hit, and how. `gateway` is the place of the one that is hit. */
export type PlannedFault =
  | { name: 'kill-gateway' | 'stop-gateway' | 'kill-both'; gateway: number }
  | { name: 'crashpoint'; gateway: number; point: string; passing: number }
  | { name: 'pause-gateway' | 'slow-start'; gateway: number; ms: number }
  | { name: 'kill-postmaster' | 'kill-backend' | 'stop-postmaster-at-once' }
  | { name: 'cut-before-commit' | 'cut-during-commit' | 'cut-after-commit'; commits: number }
  | { name: 'stall-database' | 'refuse-database' | 'read-only'; ms: number }

/**
 * A cycle: after so long under load a trouble that stops nobody (null: none), and then the faults, one after the other; and how upstream behaves
 * meanwhile.
 */
export type Cycle = { number: number; afterMs: number; trouble: PlannedTrouble | null; faults: PlannedFault[]; behaviour: object }

const everywhere = [
  'kill-gateway',
  'crashpoint',
  'kill-postmaster',
  'kill-both',
  'kill-backend',
  'stop-postmaster-at-once',
  'pause-gateway',
  'stop-gateway',
  'slow-start',
  'read-only',
] as const
const throughProxy = ['cut-before-commit', 'cut-during-commit', 'cut-after-commit', 'stall-database', 'refuse-database'] as const

type PlanOptions = {
  seed: number
  cycles: number
  gateways: number
  mode: 'bundled' | 'external'
  /** Only these kinds, of faults and of troubles; empty: all that the mode has. */
  only: readonly string[]
}

/**
 * The faults of a run. Each kind comes once before any comes again, so that a short run has met them all; where there is a way to the database,
 * each cycle also has a fault on it. Pure.
 */
export function planCycles(options: PlanOptions): Cycle[] {
  const random = randomOf(options.seed)
  const decks = [everywhere, ...(options.mode === 'external' ? [throughProxy] : [])].map((kinds) => dealt(random, kinds, options.only))
  const troubles = planTroubles(randomOf(options.seed + 2), options)
  return Array.from({ length: options.cycles }, (_, i) => {
    const names = decks.flatMap((deal) => deal() ?? [])
    return {
      number: i + 1,
      afterMs: random.whole(1_000, 2_500),
      trouble: troubles[i] ?? null,
      faults: names.map((name) => planned(random, name, random.whole(0, options.gateways - 1))),
      behaviour: behaviourOf(random),
    }
  })
}

function planned(random: Random, name: PlannedFault['name'], gateway: number): PlannedFault {
  switch (name) {
    case 'crashpoint':
      return { name, gateway, point: random.oneOf(crashpoints), passing: random.whole(1, 30) }
    case 'pause-gateway':
      return { name, gateway, ms: random.oneOf([1_000, 2_000, 4_000, 12_000, 15_000]) }
    case 'slow-start':
      return { name, gateway, ms: random.oneOf([500, 2_000, 12_000]) }
    case 'cut-during-commit':
      return { name, commits: random.whole(4, 12) }
    case 'cut-before-commit':
    case 'cut-after-commit':
      return { name, commits: random.whole(1, 6) }
    case 'read-only':
      return { name, ms: random.oneOf([500, 2_000, 4_000]) }
    case 'stall-database':
    case 'refuse-database':
      return { name, ms: random.oneOf([500, 2_000, 5_000, 11_000]) }
    case 'kill-gateway':
    case 'stop-gateway':
    case 'kill-both':
      return { name, gateway }
    default:
      return { name }
  }
}

/** How notices come during a cycle. */
function behaviourOf(random: Random): object {
  return {
    statusOrder: random.oneOf(['in-order', 'in-order', 'shuffled', 'reversed']),
    statusCopies: random.oneOf([1, 1, 2]),
    statusGapMs: random.oneOf([20, 100, 300]),
    noticeBatchMax: random.oneOf([1, 10, 50]),
    statusBeforeAnswer: random.fraction() < 0.2,
    answerDelayMs: random.oneOf([0, 20, 100]),
  }
}

/** What goes wrong upstream all the time, by the simulator's fault script. The last two are never settled by a notice. */
export const upstreamFaults = [
  { times: 'always', chance: 0.03, fault: { kind: 'slow', delayMs: 300 } },
  { times: 'always', chance: 0.01, fault: { kind: 'slow', delayMs: 1_500 } },
  { times: 'always', chance: 0.004, fault: { kind: 'accept-then-reset' } },
  { times: 'always', chance: 0.002, fault: { kind: 'unreadable' } },
  { times: 'always', chance: 0.002, fault: { kind: 'html', status: 502, accepted: true } },
  { times: 'always', chance: 0.01, fault: { kind: 'graph-error', code: 130429 } },
  { times: 'always', chance: 0.004, fault: { kind: 'graph-error', code: 131056 } },
  { times: 'always', chance: 0.001, fault: { kind: 'too-many-requests' } },
  { times: 'always', chance: 0.001, fault: { kind: 'graph-error', code: 131016, status: 503 } },
  { times: 'always', chance: 0.002, fault: { kind: 'graph-error', code: 131026 } },
  { times: 'always', chance: 0.001, fault: { kind: 'drop' } },
  { times: 'always', chance: 0.001, fault: { kind: 'html', status: 500 } },
]
