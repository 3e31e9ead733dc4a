/** Keeps the newest entries and numbers all of them from 1. */
export type Ring<Entry> = {
  push(entry: Entry): void
  /** Entries whose number is above `sequence`, oldest first, at most `limit`. */
  after(sequence: number, limit: number): Entry[]
  /** The number of the newest entry; 0 while there is none. */
  last(): number
}

/** An old entry is overwritten once `max` newer ones are there. */
export function createRing<Entry>(max: number): Ring<Entry> {
  const kept: Entry[] = []
  let last = 0
  const after = (sequence: number, limit: number) => {
    const found: Entry[] = []
    for (let next = Math.max(sequence, last - max, 0) + 1; next <= last && found.length < limit; next += 1) {
      const entry = kept[(next - 1) % max]
      if (entry !== undefined) found.push(entry)
    }
    return found
  }
  return {
    push: (entry) => {
      kept[last % max] = entry
      last += 1
    },
    after,
    last: () => last,
  }
}
