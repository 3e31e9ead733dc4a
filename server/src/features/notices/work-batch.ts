import type { Clock } from '../../base/clock.ts'
import type { Uuid } from '../../base/id.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import { faultWords, isConflict, isOutage } from '../../platform/database/failure.ts'
import { lacksPartitions, makePartitionsFor } from '../messages/public.ts'
import { type AnnounceDeps, announce, type ToldByNotices } from './announce.ts'
import { createBatchSize } from './batch-size.ts'
import { finish } from './finish.ts'
import { holdNotice, type Queue, takeNotice, takeWaiting, type WaitingNotice } from './store.ts'
import { smallerNextTime, tookTooLong } from './too-long.ts'
import { fitting } from './weigh.ts'
import { heldUntil, type Pieces, putOff, workInPieces } from './work-pieces.ts'
import { type PlacedItem, pastMomentsOf, type Worked, workThrough } from './work-through.ts'

type Done = { notices: number; items: number; setAside: number; passedOver: number }

export type BatchOfNotices =
  | ({ kind: 'notices.worked'; lagMs: number; ms: number } & Done)
  | ({ kind: 'notices.replayed'; ms: number } & Done)
  | ToldByNotices
  | { kind: 'notices.batch_failed'; notices: number; message: string }
  | { kind: 'notices.postponed'; notice: string; tries: number; message: string }

type Deps = Omit<AnnounceDeps, 'observe'> & { database: Database; clock: Clock; observe: (observation: BatchOfNotices) => void }

type Batch =
  | { kind: 'none' }
  | { kind: 'past'; moments: readonly Date[] }
  | { kind: 'worked'; notices: readonly WaitingNotice[]; items: number; worked: Worked }
  /** More than one transaction shall take: it is held. */
  | { kind: 'large'; notice: WaitingNotice; placed: readonly PlacedItem[] }
  /** The same while another is under way. */
  | { kind: 'second_large' }

type Large = { notice: WaitingNotice; pieces: Pieces; beganMs: number }

/** So many times in a row the database is taken to be away; then the batch itself may be what it cannot bear. */
const outagesMax = 3
const beforeAllLanes = -1

export type NoticeWork = {
  /** Takes what is due and works it through; returns 0 when there was nothing that could be taken. Throws while the database is away. */
  next(most: number): Promise<number>
  /** A large notice is not finished: there is work, whatever is due. */
  isUnderWay(): boolean
}

/**
 * Works through one queue, in batches of a bounded number of items, each in one transaction: rows are locked, so that each is taken once. Numbers
 * take turns: each has at most one batch before every other that waits. A batch that takes too long is made smaller, one that fails is
 * taken apart; a notice that is larger than a batch is worked through in pieces, with a batch of others between two.
 */
export function createNoticeWork(deps: Deps, queue: Queue): NoticeWork {
  const { database, clock, observe } = deps
  const size = createBatchSize()
  const after = (worked: readonly Worked[]) => announce(deps, queue, worked)
  const pieceDeps = { database, clock, size, observe, announce: after }
  let outages = 0
  /** The last lane that had its turn. */
  let lane = beforeAllLanes
  let large: Large | null = null
  /** What the last batch took, to be taken apart if it failed. */
  let taken: readonly Uuid[] = []

  const told = (done: Done, notices: readonly WaitingNotice[], beganMs: number) => {
    const ms = Math.round(clock.monotonicMs() - beganMs)
    if (queue === 'live') observe({ kind: 'notices.worked', ...done, lagMs: lagOf(notices, clock.now()), ms })
    else observe({ kind: 'notices.replayed', ...done, ms })
  }

  const takeNext = async (tx: Tx, most: number) => {
    const wanted = { now: clock.now(), most }
    const behind = await takeWaiting(tx, queue, { ...wanted, afterLane: lane })
    if (behind.notices.length > 0 || lane === beforeAllLanes) return behind
    return takeWaiting(tx, queue, { ...wanted, afterLane: beforeAllLanes })
  }

  const takeBatch = async (tx: Tx, most: number): Promise<Batch> => {
    const next = await takeNext(tx, Math.min(most, size.items()))
    taken = next.notices.map((each) => each.id)
    const { notices, placed, fits } = fitting(next.notices, size.items())
    const [first] = notices
    const isAll = next.isAll && notices.length === next.notices.length
    lane = isAll ? beforeAllLanes : (notices.at(-1)?.lane ?? beforeAllLanes)
    if (first === undefined) return { kind: 'none' }
    taken = notices.map((each) => each.id)
    if (!fits || size.items() === 1) {
      if (large !== null) return { kind: 'second_large' }
      await holdNotice(tx, queue, { id: first.id, until: heldUntil(clock) })
      return { kind: 'large', notice: first, placed }
    }
    const moments = pastMomentsOf(placed, clock.now())
    if (await lacksPartitions(tx, moments)) return { kind: 'past', moments }
    const worked = await workThrough(tx, clock, placed, (aside) => finish(tx, queue, notices, aside))
    return { kind: 'worked', notices, items: placed.length, worked }
  }

  const nextBatch = async (most: number): Promise<number> => {
    const beganMs = clock.monotonicMs()
    taken = []
    try {
      const batch = await database.repeatable((tx) => smallerNextTime(() => takeBatch(tx, most)))
      outages = 0
      if (batch.kind === 'past') await makePartitionsFor(database, batch.moments)
      if (batch.kind === 'large') large = begin(batch.notice, batch.placed)
      if (batch.kind === 'worked') {
        size.passed()
        after([batch.worked])
        const { setAside, passedOver } = batch.worked
        told({ notices: batch.notices.length, items: batch.items, setAside, passedOver }, batch.notices, beganMs)
      }
      return taken.length
    } catch (error) {
      return afterFailure(error)
    }
  }

  const afterFailure = async (error: unknown): Promise<number> => {
    if (tookTooLong(error)) {
      if (size.items() === 1) throw error
      observe({ kind: 'notices.batch_failed', notices: taken.length, message: faultWords(error) })
      size.tooMuch()
      return 1
    }
    outages = isOutage(error) ? outages + 1 : 0
    if ((isOutage(error) && outages < outagesMax) || taken.length === 0) throw error
    return takeApart(error)
  }

  /** The batch failed, for data or for a bug: each notice by itself, so that only the one at fault waits. */
  const takeApart = async (because: unknown): Promise<number> => {
    const ids = taken
    observe({ kind: 'notices.batch_failed', notices: ids.length, message: faultWords(because) })
    for (const id of ids) {
      const notice = await database.repeatable(async (tx) => {
        const found = await takeNotice(tx, queue, { id, now: clock.now() })
        if (found !== null) await holdNotice(tx, queue, { id, until: heldUntil(clock) })
        return found
      })
      if (notice === null) continue
      const alone = begin(notice, null)
      while (await goOn(alone));
    }
    return ids.length
  }

  const begin = (notice: WaitingNotice, placed: readonly PlacedItem[] | null): Large => ({
    notice,
    beganMs: clock.monotonicMs(),
    pieces: workInPieces(pieceDeps, queue, notice, placed),
  })

  /** One piece more of a notice that is held; false: it is done, for now. */
  const goOn = async ({ notice, pieces, beganMs }: Large): Promise<boolean> => {
    try {
      const { done, value } = await pieces.next()
      if (!done) return true
      if (value?.finished) told({ notices: 1, ...doneOf(value) }, [notice], beganMs)
    } catch (error) {
      // Work that meets another's is tried again whole. What the database cannot bear time after time may be of the notice's own making.
      if (isConflict(error) || tookTooLong(error) || (isOutage(error) && outages < outagesMax)) {
        await database.repeatable((tx) => holdNotice(tx, queue, { id: notice.id, until: notice.dueAt }))
        throw error
      }
      const isAside = await database.repeatable(async (tx) => {
        const isMine = await holdNotice(tx, queue, { id: notice.id, until: heldUntil(clock) })
        return isMine && putOff(tx, deps, queue, notice, error)
      })
      if (isAside) told({ notices: 1, items: 1, setAside: 1, passedOver: 0 }, [notice], beganMs)
    }
    return false
  }

  return {
    isUnderWay: () => large !== null,
    async next(most) {
      if (large === null) return nextBatch(most)
      const current = large
      large = null
      if (await goOn(current)) large = current
      return 1 + (await nextBatch(most))
    },
  }
}

const doneOf = ({ items, setAside, passedOver }: { items: number; setAside: number; passedOver: number }) => ({
  items,
  setAside,
  passedOver,
})

/** How long the first of them waited. */
const lagOf = (notices: readonly WaitingNotice[], now: Date) => Math.max(0, ...notices.map((each) => now.getTime() - each.dueAt.getTime()))
