/** A list that only grows, and that a test can wait on: never a sleep, always a named thing that must come. */
export type Heard<Item> = {
  readonly all: readonly Item[]
  add(item: Item): void
  /**
   * The first item that matches, whether it is here already or comes within `waitMs` (20 s). `from` passes over so many that
   * were here before. Rejects with what came instead.
   */
  until(matches: (item: Item) => boolean, options?: { waitMs?: number; from?: number }): Promise<Item>
}

type Waiter<Item> = { matches: (item: Item) => boolean; resolve: (item: Item) => void }

const waitMsUsual = 20_000
const shownMax = 20

/** `what` names the items in the error of a wait that ended in vain, `show` says in a few words what came instead. */
export function createHeard<Item>(what: string, show: (item: Item) => string): Heard<Item> {
  const all: Item[] = []
  const waiters = new Set<Waiter<Item>>()
  return {
    all,
    add(item) {
      all.push(item)
      for (const waiter of waiters) {
        if (!waiter.matches(item)) continue
        waiters.delete(waiter)
        waiter.resolve(item)
      }
    },
    until(matches, { waitMs = waitMsUsual, from = 0 } = {}) {
      const here = all.slice(from).find(matches)
      if (here !== undefined) return Promise.resolve(here)
      return new Promise((resolve, reject) => {
        const expire = () => {
          waiters.delete(waiter)
          const came = all.slice(-shownMax).map(show).join(', ')
          reject(new Error(`No ${what} matched within ${waitMs} ms. Of ${all.length}, the last are: ${came}`))
        }
        const timer = setTimeout(expire, waitMs)
        const waiter: Waiter<Item> = {
          matches,
          resolve: (item) => {
            clearTimeout(timer)
            resolve(item)
          },
        }
        waiters.add(waiter)
      })
    },
  }
}
