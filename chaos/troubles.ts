import { dealt, type Random } from './random.ts'

/** Somebody does their worst beside the load, within what they may: everybody else goes on meanwhile. */
export type PlannedTrouble = { name: (typeof troubles)[number]; ms: number }

/** By strangers, by a customer, by a number, and by those who work on the database. */
const troubles = [
  'announced-bodies',
  'slow-headers',
  'unsigned-notices',
  'costly-lists',
  'damaged-token',
  'nightly-dump',
  'operators-ddl',
] as const

/** The trouble of each cycle, each kind once before any again. Pure. */
export function planTroubles(random: Random, { cycles, only }: { cycles: number; only: readonly string[] }): (PlannedTrouble | null)[] {
  const next = dealt(random, troubles, only)
  return Array.from({ length: cycles }, () => {
    const name = next()
    return name === undefined ? null : { name, ms: random.oneOf([5_000, 6_000]) }
  })
}
