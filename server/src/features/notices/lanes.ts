import type { Clock } from '../../base/clock.ts'
import type { Uuid } from '../../base/id.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import { isOutage } from '../../platform/database/failure.ts'
import { type Loop, type LoopObservation, startLoop } from '../../platform/lanes/loop.ts'
import { anyParked, applyStatuses, dropParked, lacksPartitions, makePartitionsFor, takeUnparked } from '../messages/public.ts'
import type { DeliveryHint } from '../webhooks/public.ts'
import type { ChangeFate } from './apply-changes.ts'
import { createLastNotices } from './last-notices.ts'
import { finishNotices, nextDue, postponeNotice, takeWaiting, type WaitingNotice } from './store.ts'
import { setAsideNotice, workEachItem } from './take-apart.ts'
import { itemsOf, pastMomentsOf, type Worked, workThrough } from './work-through.ts'

export type NoticeObservation =
  | LoopObservation
  | { kind: 'notices.worked'; notices: number; items: number; setAside: number; passedOver: number; lagMs: number; ms: number }
  /** Changes of templates, numbers and preferences of one field, by what became of them. */
  | { kind: 'notices.changes'; field: string; fate: ChangeFate; count: number }
  | { kind: 'notices.security'; event: string }
  | { kind: 'notices.batch_failed'; notices: number; message: string }
  /** What upstream tells of a number itself, such as that too much was sent: its field and upstream's codes. */
  | { kind: 'notices.errors_told'; field: string; codes: readonly number[] }
  | { kind: 'notices.postponed'; notice: string; tries: number; message: string }

export type NoticesDeps = {
  database: Database
  clock: Clock
  observe: (observation: NoticeObservation) => void
  wakeDeliveries: (hints: readonly DeliveryHint[]) => void
  /** Files are to be fetched. */
  wakeFiles: () => void
}

type Batch = { notices: readonly WaitingNotice[]; items: number; worked: Worked | null; past: readonly Date[] }

const noticesPerTickMax = 200
const spacingMs = 20
const pollMs = 1_000
const lockedMs = 50
const parkedEveryMs = 5_000
const parkedPerTickMax = 500
/** After so many failures an item is set aside, so that it stops nobody. */
const triesMax = 3
const retryDelaysMs = [1_000, 5_000]

/** Works notices through, in order of arrival, in every process: rows are locked, so that each is taken once. */
export function startNotices(deps: NoticesDeps): Loop {
  const { database, clock, observe, wakeDeliveries } = deps
  const lastNotices = createLastNotices(deps)
  let parkedAtMs = 0

  const work = async (): Promise<number> => {
    const beganMs = clock.monotonicMs()
    try {
      const { notices, items, worked, past } = await database.repeatable(workBatch)
      if (past.length > 0) await makePartitionsFor(database, past)
      if (worked !== null) {
        wakeDeliveries(worked.hints)
        lastNotices.heard(worked.heard)
        tellChanges(worked)
        if (worked.filesQueued) deps.wakeFiles()
        tellOfErrors(worked)
        const { setAside, passedOver } = worked
        observe({
          kind: 'notices.worked',
          notices: notices.length,
          items,
          setAside,
          passedOver,
          lagMs: lagOf(notices, clock.now()),
          ms: Math.round(clock.monotonicMs() - beganMs),
        })
      }
      return notices.length
    } catch (error) {
      if (isOutage(error)) throw error
      return takeApart(error)
    }
  }

  const tellChanges = ({ changes, alerts }: Worked): void => {
    const same = Map.groupBy(changes, ({ field, fate }) => `${field} ${fate}`)
    for (const [first, ...others] of same.values()) if (first) observe({ kind: 'notices.changes', ...first, count: 1 + others.length })
    for (const event of alerts) observe({ kind: 'notices.security', event })
  }

  /** Takes a batch and works it through; with `past` it did nothing but find out that partitions are missing. */
  const workBatch = async (tx: Tx): Promise<Batch> => {
    const notices = await takeWaiting(tx, clock.now(), noticesPerTickMax, null)
    if (notices.length === 0) return { notices, items: 0, worked: null, past: [] }
    const placed = itemsOf(notices)
    const past = pastMomentsOf(placed, clock.now())
    if (await lacksPartitions(tx, past)) return { notices, items: 0, worked: null, past }
    await finishNotices(
      tx,
      notices.map((each) => each.id),
    )
    return { notices, items: placed.length, worked: await workThrough(tx, clock, placed), past: [] }
  }

  const tellOfErrors = ({ errors }: Pick<Worked, 'errors'>): void => {
    for (const { field, codes } of errors) observe({ kind: 'notices.errors_told', field, codes })
  }

  /** The batch failed, for data or for a bug: each notice by itself, so that only the one at fault waits. */
  const takeApart = async (because: unknown): Promise<number> => {
    const ids = await database.transaction(async (tx) =>
      (await takeWaiting(tx, clock.now(), noticesPerTickMax, null)).map((each) => each.id),
    )
    observe({ kind: 'notices.batch_failed', notices: ids.length, message: wordsOf(because) })
    for (const id of ids) await workOne(id)
    return ids.length
  }

  const workOne = async (id: Uuid): Promise<void> => {
    try {
      const { hints } = await database.repeatable(async (tx) => {
        const apart = await workEachItem(tx, clock, id)
        if (apart.failed !== null) await putOff(tx, apart.failed.notice, apart.failed.because)
        return apart
      })
      wakeDeliveries(hints)
    } catch (error) {
      if (isOutage(error)) throw error
      // It could not even be taken apart.
      await database.repeatable(async (tx) => {
        const [notice] = await takeWaiting(tx, clock.now(), 1, id)
        if (notice !== undefined) await putOff(tx, notice, error)
      })
    }
  }

  const putOff = async (tx: Tx, notice: WaitingNotice, because: unknown): Promise<void> => {
    const delayMs = retryDelaysMs[notice.tries]
    observe({ kind: 'notices.postponed', notice: notice.id, tries: notice.tries + 1, message: wordsOf(because) })
    if (notice.tries + 1 >= triesMax || delayMs === undefined) await setAsideNotice(tx, clock, notice, wordsOf(because))
    else await postponeNotice(tx, notice.id, new Date(clock.now().getTime() + delayMs))
  }

  const tryParked = async (): Promise<void> => {
    const nowMs = clock.monotonicMs()
    if (nowMs < parkedAtMs) return
    parkedAtMs = nowMs + parkedEveryMs
    if (!(await anyParked(database))) return
    const hints = await database.repeatable(async (tx) => applyStatuses(tx, clock, await takeUnparked(tx, parkedPerTickMax)))
    wakeDeliveries(hints)
    await dropParked(database, clock.now())
  }

  return startLoop({
    name: 'notices',
    clock,
    observe,
    spacingMs,
    async tick() {
      await tryParked()
      await lastNotices.write()
      // Asked first, because it is one cheap look where taking is a transaction.
      const due = await nextDue(database)
      const waitMs = due === null ? pollMs : due.getTime() - clock.now().getTime()
      if (waitMs > 0) return Math.min(pollMs, waitMs)
      // What is due and cannot be taken is locked by another process at work on it.
      return (await work()) > 0 ? 0 : lockedMs
    },
  })
}

/** How long the first of them waited. */
const lagOf = (notices: readonly WaitingNotice[], now: Date) => Math.max(0, ...notices.map((each) => now.getTime() - each.dueAt.getTime()))

const wordsOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
