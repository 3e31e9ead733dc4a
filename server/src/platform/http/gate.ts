/** There is no room to wait at a gate. */
export class GateFull extends Error {
  constructor() {
    super('too many wait for the same thing')
  }
}

export type GateOptions = { atOnce: number; waitingMax: number; waitingOfOneMax: number }

export type Gate = {
  /** Runs `work` when it is its turn. Throws `GateFull` when too many wait, of this owner or in all. */
  run<Value>(owner: string, work: () => Promise<Value>): Promise<Value>
}

/** Lets so many pieces of work run at once. Those that wait take turns by owner, so that nobody's crowd is in the way of another. */
export function createGate({ atOnce, waitingMax, waitingOfOneMax }: GateOptions): Gate {
  // The owner whose turn is next comes first.
  const waiting = new Map<string, (() => void)[]>()
  let running = 0
  let count = 0

  const next = () => {
    const [first] = waiting
    if (first === undefined) {
      running -= 1
      return
    }
    const [owner, queue] = first
    const start = queue.shift()
    waiting.delete(owner)
    if (queue.length > 0) waiting.set(owner, queue)
    count -= 1
    start?.()
  }
  const turn = (owner: string): Promise<void> => {
    if (running < atOnce) {
      running += 1
      return Promise.resolve()
    }
    const queue = waiting.get(owner) ?? []
    if (count >= waitingMax || queue.length >= waitingOfOneMax) return Promise.reject(new GateFull())
    waiting.set(owner, queue)
    count += 1
    return new Promise((resolve) => queue.push(resolve))
  }
  return {
    async run(owner, work) {
      await turn(owner)
      try {
        return await work()
      } finally {
        next()
      }
    },
  }
}
