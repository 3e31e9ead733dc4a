/** Counts what is under way: statuses still to come, notices not yet answered with 200 and not yet given up. */
export type Activity = { begin(): void; end(): void; underWay(): number; settled(timeoutMs: number): Promise<void>; close(): void }

type Waiter = { resolve: () => void; reject: (error: Error) => void; timer: NodeJS.Timeout }

/** Starts at none under way. */
export function createActivity(): Activity {
  let underWay = 0
  const waiters = new Set<Waiter>()
  const finish = (error: Error | null) => {
    for (const waiter of waiters) {
      clearTimeout(waiter.timer)
      if (error === null) waiter.resolve()
      else waiter.reject(error)
    }
    waiters.clear()
  }
  const settled = (timeoutMs: number) => {
    if (underWay === 0) return Promise.resolve()
    return new Promise<void>((resolve, reject) => {
      const expire = () => {
        waiters.delete(waiter)
        reject(new Error(`After ${timeoutMs} ms, ${underWay} statuses or notices are still under way.`))
      }
      const waiter: Waiter = { resolve, reject, timer: setTimeout(expire, timeoutMs) }
      waiters.add(waiter)
    })
  }
  return {
    begin: () => {
      underWay += 1
    },
    end: () => {
      underWay -= 1
      if (underWay === 0) finish(null)
    },
    underWay: () => underWay,
    settled,
    close: () => finish(new Error('The simulator was closed.')),
  }
}
