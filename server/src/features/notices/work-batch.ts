import type { Clock } from '../../base/clock.ts'
import type { Uuid } from '../../base/id.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import { faultWords, isAway, isConflict } from '../../platform/database/failure.ts'
import { lacksPartitions, makePartitionsFor } from '../messages/public.ts'
import type { DeliveryHint } from '../webhooks/public.ts'
import type { ChangeFate } from './apply-changes.ts'
import { wholeAsideOf } from './aside-of.ts'
import { clearSetAside, insertSetAside, type SetAside } from './set-aside-store.ts'
import { finishNotices, postponeNotice, type Queue, takeWaiting, type WaitingNotice } from './store.ts'
import { workEachItem } from './take-apart.ts'
import { isLastTry, retryDelayMs } from './tries.ts'
import { itemsOf, pastMomentsOf, type Worked, workThrough } from './work-through.ts'

type Done = { notices: number; items: number; setAside: number; passedOver: number }

export type BatchOfNotices =
  | ({ kind: 'notices.worked'; lagMs: number; ms: number } & Done)
  | ({ kind: 'notices.replayed'; ms: number } & Done)
  /** Changes of templates, numbers and preferences of one field, by what became of them. */
  | { kind: 'notices.changes'; field: string; fate: ChangeFate; count: number }
  | { kind: 'notices.security'; event: string }
  /** What upstream tells of a number itself, such as that too much was sent: its field and upstream's codes. */
  | { kind: 'notices.errors_told'; field: string; codes: readonly number[] }
  | { kind: 'notices.batch_failed'; notices: number; message: string }
  | { kind: 'notices.postponed'; notice: string; tries: number; message: string }

type Deps = {
  database: Database
  clock: Clock
  observe: (observation: BatchOfNotices) => void
  wakeDeliveries: (hints: readonly DeliveryHint[]) => void
  /** Files are to be fetched. */
  wakeFiles: () => void
  /** Something came for these numbers. */
  heard: (numbers: Worked['heard']) => void
}

type Batch = { notices: readonly WaitingNotice[]; items: number; worked: Worked | null; past: readonly Date[] }

/** So many times in a row the database is taken to be away; then the batch itself may be what it cannot bear. */
const outagesMax = 3

/**
 * Takes what is due in one queue, in order of arrival, and works it through in one transaction: rows are locked, so that each is
 * taken once. A batch that fails is taken apart. Answers how many notices were taken; throws while the database is away.
 */
export function createNoticeWork(deps: Deps, queue: Queue): (most: number) => Promise<number> {
  const { database, clock, observe, wakeDeliveries } = deps
  let outages = 0

  const told = (done: Done, notices: readonly WaitingNotice[], beganMs: number) => {
    const ms = Math.round(clock.monotonicMs() - beganMs)
    if (queue === 'live') observe({ kind: 'notices.worked', ...done, lagMs: lagOf(notices, clock.now()), ms })
    else observe({ kind: 'notices.replayed', ...done, ms })
  }

  /** What is done after the commit: all of it may be lost. */
  const announce = (worked: readonly Worked[]) => {
    wakeDeliveries(worked.flatMap((each) => each.hints))
    if (worked.some((each) => each.filesQueued)) deps.wakeFiles()
    // What is told once more says nothing of now.
    if (queue === 'replay') return
    deps.heard(worked.flatMap((each) => each.heard))
    const same = Map.groupBy(
      worked.flatMap((each) => each.changes),
      ({ field, fate }) => `${field} ${fate}`,
    )
    for (const [first, ...others] of same.values()) if (first) observe({ kind: 'notices.changes', ...first, count: 1 + others.length })
    for (const event of worked.flatMap((each) => each.alerts)) observe({ kind: 'notices.security', event })
    for (const { field, codes } of worked.flatMap((each) => each.errors)) observe({ kind: 'notices.errors_told', field, codes })
  }

  /** Takes a batch and works it through; with `past` it did nothing but find out that partitions are missing. */
  const takeBatch = async (tx: Tx, most: number): Promise<Batch> => {
    const notices = await takeWaiting(tx, queue, { now: clock.now(), most, only: null })
    if (notices.length === 0) return { notices, items: 0, worked: null, past: [] }
    const placed = itemsOf(notices)
    const past = pastMomentsOf(placed, clock.now())
    if (await lacksPartitions(tx, past)) return { notices, items: 0, worked: null, past }
    const worked = await workThrough(tx, clock, placed, (aside) => finish(tx, queue, notices, aside))
    return { notices, items: placed.length, worked, past: [] }
  }

  const work = async (most: number): Promise<number> => {
    const beganMs = clock.monotonicMs()
    try {
      const { notices, items, worked, past } = await database.repeatable((tx) => takeBatch(tx, most))
      if (past.length > 0) await makePartitionsFor(database, past)
      outages = 0
      if (worked !== null) {
        announce([worked])
        const { setAside, passedOver } = worked
        told({ notices: notices.length, items, setAside, passedOver }, notices, beganMs)
      }
      return notices.length
    } catch (error) {
      outages = isAway(error) ? outages + 1 : 0
      if (isAway(error) && outages < outagesMax) throw error
      return takeApart(most, error)
    }
  }

  /** The batch failed, for data or for a bug: each notice by itself, so that only the one at fault waits. */
  const takeApart = async (most: number, because: unknown): Promise<number> => {
    const ids = await database.transaction(async (tx) =>
      (await takeWaiting(tx, queue, { now: clock.now(), most, only: null })).map((each) => each.id),
    )
    observe({ kind: 'notices.batch_failed', notices: ids.length, message: faultWords(because) })
    for (const id of ids) await workOne(id)
    return ids.length
  }

  const workOne = async (id: Uuid): Promise<void> => {
    const beganMs = clock.monotonicMs()
    const takeOne = async (tx: Tx) => (await takeWaiting(tx, queue, { now: clock.now(), most: 1, only: id }))[0]
    try {
      const done = await database.repeatable(async (tx) => {
        const notice = await takeOne(tx)
        if (notice === undefined) return null
        const { failed, aside, worked, items } = await workEachItem(tx, clock, notice)
        if (failed === null) await finish(tx, queue, [notice], aside)
        else await putOff(tx, notice, failed.because)
        return { notice, worked, items, setAside: aside.length, finished: failed === null }
      })
      if (done === null) return
      announce(done.worked)
      const { notice, items, setAside } = done
      const passedOver = done.worked.reduce((sum, each) => sum + each.passedOver, 0)
      if (done.finished) told({ notices: 1, items, setAside, passedOver }, [notice], beganMs)
    } catch (error) {
      // Work that meets another's is tried again whole. What the database cannot bear time after time may be of the notice's own making.
      if (isConflict(error) || (isAway(error) && outages < outagesMax)) throw error
      // It could not even be taken apart.
      const setAside = await database.repeatable(async (tx) => {
        const notice = await takeOne(tx)
        return notice === undefined ? [] : putOff(tx, notice, error)
      })
      if (setAside.length > 0) told({ notices: 1, items: 1, setAside: 1, passedOver: 0 }, setAside, beganMs)
    }
  }

  /** Leaves a notice for another try, or sets the whole of it aside after the last: then it is in the answer. */
  const putOff = async (tx: Tx, notice: WaitingNotice, because: unknown): Promise<WaitingNotice[]> => {
    observe({ kind: 'notices.postponed', notice: notice.id, tries: notice.tries + 1, message: faultWords(because) })
    if (isLastTry(notice.tries, because)) {
      const reason = because instanceof Error ? because.message : String(because)
      await finish(tx, queue, [notice], [wholeAsideOf(notice, { reason, now: clock.now() })])
      return [notice]
    }
    await postponeNotice(tx, notice.id, new Date(clock.now().getTime() + retryDelayMs(notice.tries)))
    return []
  }

  return work
}

/** The notices are worked through: of them there lies aside what is named here, and nothing else. */
async function finish(tx: Tx, queue: Queue, notices: readonly WaitingNotice[], aside: readonly SetAside[]): Promise<void> {
  const ids = notices.map((each) => each.id)
  await finishNotices(tx, ids)
  // Of a notice that is worked through for the first time nothing can lie aside.
  if (queue === 'replay') await clearSetAside(tx, ids)
  await insertSetAside(tx, aside)
}

/** How long the first of them waited. */
const lagOf = (notices: readonly WaitingNotice[], now: Date) => Math.max(0, ...notices.map((each) => now.getTime() - each.dueAt.getTime()))
