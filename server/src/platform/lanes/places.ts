import type { Uuid } from '../../base/id.ts'
import { createRing } from '../../base/turns.ts'

/** Places for work of all accounts: at most so many pieces run at once, and the others wait in turns of accounts, without an end. */
export function createPlaces(max: number): <Value>(accountId: Uuid, work: () => Promise<Value>) => Promise<Value> {
  let running = 0
  let calls = 0
  const waiting = createRing<number, () => void>()
  const startNext = (): boolean => {
    let start = () => {}
    const found = waiting.deal(1, (next) => {
      start = next
      return true
    })
    start()
    return found === 1
  }
  return async (accountId, work) => {
    if (running >= max) {
      calls += 1
      const call = calls
      await new Promise<void>((resolve) =>
        waiting.add(accountId, call, () => {
          waiting.delete(accountId, call)
          resolve()
        }),
      )
    } else running += 1
    try {
      return await work()
    } finally {
      if (!startNext()) running -= 1
    }
  }
}
