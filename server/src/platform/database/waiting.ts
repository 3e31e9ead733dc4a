import type { Uuid } from '../../base/id.ts'
import { createRing } from '../../base/turns.ts'

/** What one run takes, and who may wait for one. */
export type WaitingBounds<Input> = {
  /** How many items one run takes. */
  itemsMax: number
  /** How many callers may wait; one more is refused with `BatcherFull`. */
  waitingMax: number
  /** Bounds in bytes beside those in number; left out: items are small. */
  bytes?: { of: (item: Input) => number; waitingMax: number; perRunMax: number }
  /**
   * Where callers are of different accounts: runs take one of each account in turn, each account's in the order in which they came, and of one
   * account no more may wait than this, in number and in bytes. Left out: all are of one.
   */
  turns?: { accountOf: (item: Input) => Uuid; waitingMax: number; bytesMax: number }
}

export type Waiting<Input, Output> = { item: Input; isLate: boolean; resolve: (output: Output) => void; reject: (error: unknown) => void }

/** Who waits for a run of a batcher: in turns of accounts, within the bounds of all and of each. Pure memory. */
type WaitingCallers<Input, Output> = {
  hasRoomFor(item: Input): boolean
  add(caller: Waiting<Input, Output>): void
  /** Takes out what one run takes; one is always taken, however large it is. Who waited too long is dropped. */
  take(): Waiting<Input, Output>[]
  /** How many wait, with those who waited too long and were not dropped yet. */
  count(): number
}

type Held = { count: number; bytes: number }
type Queue<Caller> = Held & { callers: Caller[]; head: number }

const noAccount = '' as Uuid
/** So many taken places at the front of a queue are given back at once. */
const placesKeptMax = 1_000

export function createWaiting<Input, Output>(options: WaitingBounds<Input>): WaitingCallers<Input, Output> {
  type Caller = Waiting<Input, Output>
  const { turns, bytes, itemsMax } = options
  const perRunMax = bytes?.perRunMax ?? Number.POSITIVE_INFINITY
  const bytesOf = (item: Input) => bytes?.of(item) ?? 0
  const accountOf = (item: Input) => turns?.accountOf(item) ?? noAccount
  const queues = new Map<Uuid, Queue<Caller>>()
  const ring = createRing<null, Queue<Caller>>()
  const all: Held = { count: 0, bytes: 0 }

  const queueOf = (accountId: Uuid): Queue<Caller> => {
    const queue = queues.get(accountId) ?? { count: 0, bytes: 0, callers: [], head: 0 }
    queues.set(accountId, queue)
    ring.add(accountId, null, queue)
    return queue
  }
  const drop = (queue: Queue<Caller>, { item }: Caller) => {
    for (const held of [all, queue]) {
      held.count -= 1
      held.bytes -= bytesOf(item)
    }
    queue.head += 1
    if (queue.head < placesKeptMax) return
    queue.callers.splice(0, queue.head)
    queue.head = 0
  }
  const firstInTime = (queue: Queue<Caller>): Caller | undefined => {
    let first = queue.callers[queue.head]
    for (; first?.isLate === true; first = queue.callers[queue.head]) drop(queue, first)
    return first
  }

  return {
    hasRoomFor(item) {
      if (all.count >= options.waitingMax || all.bytes > (bytes?.waitingMax ?? all.bytes)) return false
      const own = queues.get(accountOf(item))
      return turns === undefined || own === undefined || (own.count < turns.waitingMax && own.bytes <= turns.bytesMax)
    },
    add(caller) {
      const queue = queueOf(accountOf(caller.item))
      queue.callers.push(caller)
      for (const held of [all, queue]) {
        held.count += 1
        held.bytes += bytesOf(caller.item)
      }
    },
    take() {
      const batch: Caller[] = []
      let size = 0
      let isFull = false
      ring.deal(itemsMax, (queue, accountId) => {
        const caller = isFull ? undefined : firstInTime(queue)
        size += caller === undefined ? 0 : bytesOf(caller.item)
        isFull ||= batch.length > 0 && size > perRunMax
        const isTaken = caller !== undefined && !isFull
        if (isTaken) {
          drop(queue, caller)
          batch.push(caller)
        }
        if (queue.count === 0) {
          ring.delete(accountId, null)
          queues.delete(accountId)
        }
        return isTaken
      })
      return batch
    },
    count: () => all.count,
  }
}
