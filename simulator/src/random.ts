import { randomInt } from 'node:crypto'

/** Numbers that repeat with their seed: `fraction` is in [0, 1), `below(n)` a whole number in [0, n). Never for secrets. */
export type Random = { readonly seed: number; fraction(): number; below(limit: number): number }

/** A seed that no other run has, so that ids of two runs do not meet in one database. */
export function freshSeed(): number {
  return randomInt(2 ** 32)
}

/** The generator is Mulberry32: 32 bits of state, the same sequence on every machine. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const fraction = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return { seed, fraction, below: (limit) => Math.floor(fraction() * limit) }
}

/** A new list with the same members in an order that the generator picks. */
export function shuffled<Item>(random: Random, items: readonly Item[]): Item[] {
  const keyed = items.map((item) => ({ item, key: random.fraction() }))
  return keyed.sort((a, b) => a.key - b.key).map((each) => each.item)
}
