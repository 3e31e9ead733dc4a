/** Numbers that a seed repeats. */
export type Chance = {
  /** In [0, 1). */
  fraction(): number
  /** A whole number from `from` to `to`, both included. */
  whole(from: number, to: number): number
  /** True with this probability. */
  happens(probability: number): boolean
  /** One of a list that is not empty. */
  oneOf<Item>(items: readonly Item[]): Item
  shuffled<Item>(items: readonly Item[]): Item[]
}

/**
 * The chance that belongs to these words of a seed. Each decision has words of its own, so that it does not depend on how many
 * others were taken before it: what happens to one message stays the same when another one changes.
 */
export function chanceOf(seed: number, ...words: readonly (string | number)[]): Chance {
  let state = hashOf(`${seed} ${words.join(' ')}`)
  // Mulberry32: small, and the same on every machine.
  const fraction = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const whole = (from: number, to: number) => from + Math.floor(fraction() * (to - from + 1))
  return {
    fraction,
    whole,
    happens: (probability) => fraction() < probability,
    oneOf(items) {
      const item = items[whole(0, items.length - 1)]
      if (item === undefined) throw new Error('bug: nothing to choose from')
      return item
    },
    shuffled: (items) =>
      items
        .map((item) => ({ item, place: fraction() }))
        .sort((a, b) => a.place - b.place)
        .map(({ item }) => item),
  }
}

/** FNV-1a over the text. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 0
}
