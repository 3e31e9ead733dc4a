import type { Clock } from '../../base/clock.ts'

export type SharesOptions = {
  clock: Clock
  /** How much runs at once, of all keys together and of each. */
  atOnceMax: number
  perKeyMax: number
  /** How much of one key may wait, and for how long (milliseconds); what is beyond is refused with `SharesFull`. */
  waitingPerKeyMax: number
  waitMsMax: number
}

/** One key asks for more at once than it may, or its turn did not come in time. */
export class SharesFull extends Error {
  constructor() {
    super('too much is asked for at once')
  }
}

type Waiting = { start: () => void; cancel: () => void }
type Lane = { running: number; waiting: Set<Waiting> }

const isEmpty = (lane: Lane) => lane.running === 0 && lane.waiting.size === 0

/** Shares a few places among many keys: those that wait take turns, so that a key that asks for much waits behind itself. Pure memory. */
export function createShares(options: SharesOptions): <Value>(key: string, work: () => Promise<Value>) => Promise<Value> {
  const { clock, atOnceMax, perKeyMax, waitingPerKeyMax, waitMsMax } = options
  // In the order of their turns: a key that had one goes to the end.
  const lanes = new Map<string, Lane>()
  let running = 0

  const laneOf = (key: string): Lane => {
    const lane = lanes.get(key) ?? { running: 0, waiting: new Set() }
    lanes.set(key, lane)
    return lane
  }
  const startNext = () => {
    for (const [key, lane] of lanes) {
      if (running >= atOnceMax) return
      const [first] = lane.waiting
      if (first === undefined || lane.running >= perKeyMax) continue
      lanes.delete(key)
      lanes.set(key, lane)
      lane.waiting.delete(first)
      lane.running += 1
      running += 1
      first.start()
    }
  }
  const ended = (key: string, lane: Lane) => {
    lane.running -= 1
    running -= 1
    if (isEmpty(lane)) lanes.delete(key)
    startNext()
  }
  const turn = (key: string, lane: Lane): Promise<void> => {
    if (lane.waiting.size >= waitingPerKeyMax) throw new SharesFull()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const waiting: Waiting = {
      start() {
        this.cancel()
        resolve()
      },
      cancel: clock.after(waitMsMax, () => {
        lane.waiting.delete(waiting)
        if (isEmpty(lane)) lanes.delete(key)
        reject(new SharesFull())
      }),
    }
    lane.waiting.add(waiting)
    startNext()
    return promise
  }

  return async (key, work) => {
    const lane = laneOf(key)
    await turn(key, lane)
    try {
      return await work()
    } finally {
      ended(key, lane)
    }
  }
}
