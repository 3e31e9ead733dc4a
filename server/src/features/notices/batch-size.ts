/** How many items one transaction takes, by how the last ones went. */
export type BatchSize = {
  items(): number
  /** A transaction was committed. */
  passed(): void
  /** The database ended a transaction that took too long: the next has a quarter of its items, down to one. */
  tooMuch(): void
}

/** About 100 ms of work with one webhook, and 4,000 deliveries where an account has ten. */
const itemsMax = 400

export function createBatchSize(): BatchSize {
  let items = itemsMax
  return {
    items: () => items,
    passed() {
      items = Math.min(itemsMax, items * 2)
    },
    tooMuch() {
      items = Math.max(1, Math.floor(items / 4))
    },
  }
}
