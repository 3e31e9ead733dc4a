/** Numbers in [0, 1) that a seed repeats. */
export type Random = {
  fraction(): number
  /** A whole number from `from` to `to`, both included. */
  whole(from: number, to: number): number
  /** One of a list that is not empty. */
  oneOf<Item>(items: readonly Item[]): Item
}

/** The generator mulberry32: small, and the same on every machine. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0
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
    oneOf(items) {
      const item = items[whole(0, items.length - 1)]
      if (item === undefined) throw new Error('bug: nothing to choose from')
      return item
    },
  }
}

/** Answers one of these after the other in a made-up order, each once before any again; undefined where `only` leaves none. */
export function dealt<Name extends string>(random: Random, kinds: readonly Name[], only: readonly string[]): () => Name | undefined {
  const wanted = kinds.filter((each) => only.length === 0 || only.includes(each))
  const deck: Name[] = []
  return () => {
    if (deck.length === 0) deck.push(...wanted)
    return deck.splice(random.whole(0, Math.max(0, deck.length - 1)), 1)[0]
  }
}
