/** Keeps the newest entries and numbers all of them from 1. */
export type Kept<Entry> = {
  push(entry: Entry): void
  /** Entries whose number is above `sequence`, oldest first, at most `limit`. */
  after(sequence: number, limit: number): Entry[]
  /** The number of the newest entry; 0 while there is none. */
  last(): number
}

/** An old entry is dropped as soon as there are more than `max`, or their texts together are longer than `charactersMax`. */
export function createKept<Entry>(bounds: { max: number; charactersMax: number }, charactersOf: (entry: Entry) => number): Kept<Entry> {
  let entries: Entry[] = []
  let head = 0
  let last = 0
  let characters = 0
  const dropOldest = () => {
    const oldest = entries[head]
    if (oldest !== undefined) characters -= charactersOf(oldest)
    delete entries[head]
    head += 1
    if (head < 1024 || head * 2 < entries.length) return
    entries = entries.slice(head)
    head = 0
  }
  const push = (entry: Entry) => {
    entries.push(entry)
    last += 1
    characters += charactersOf(entry)
    while (entries.length - head > bounds.max || (characters > bounds.charactersMax && entries.length - head > 1)) dropOldest()
  }
  const after = (sequence: number, limit: number) => {
    const dropped = last - (entries.length - head)
    const from = head + Math.max(0, sequence - dropped)
    return entries.slice(from, from + limit)
  }
  return { push, after, last: () => last }
}
