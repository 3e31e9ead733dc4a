import type { Clock } from '../../base/clock.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import { faultWords, isConflict, isOutage } from '../../platform/database/failure.ts'
import { lacksPartitions, makePartitionsFor } from '../messages/public.ts'
import { wholeAsideOf } from './aside-of.ts'
import type { BatchSize } from './batch-size.ts'
import { finish } from './finish.ts'
import type { SetAside } from './set-aside-store.ts'
import { holdNotice, postponeNotice, type Queue, type WaitingNotice } from './store.ts'
import { type TakenApart, workEachItem } from './take-apart.ts'
import { smallerNextTime, tookTooLong } from './too-long.ts'
import { isLastTry, retryDelayMs } from './tries.ts'
import { inOrderOfEffect, pieceFrom } from './weigh.ts'
import { itemsOf, type PlacedItem, pastMomentsOf, type Worked, workThrough } from './work-through.ts'

export type PieceDeps = {
  database: Database
  clock: Clock
  size: BatchSize
  announce: (worked: readonly Worked[]) => void
  observe: (observation: { kind: 'notices.postponed'; notice: string; tries: number; message: string }) => void
}

export type Pieces = AsyncGenerator<void, Concluded | null>

/** What became of a whole notice; `finished` false: it is tried again. */
export type Concluded = { finished: boolean; items: number; setAside: number; passedOver: number }

/** Longer than any transaction may take. */
const heldMs = 15_000
/** So many items of one notice that take too long are met, and no more: each costs the others as long as a transaction may take. */
const tooLongMax = 3
const slowDelayMs = { least: 1_000, most: 300_000 }

export const heldUntil = (clock: Clock): Date => new Date(clock.now().getTime() + heldMs)

/**
 * rule: receive 15. Works one notice through in several transactions, each of a bounded number of items, and then finishes it; others may do their work
 * between two. Every item has its effect once, however often this begins anew: what a repetition finds done, it leaves. The caller holds the notice
 * (`holdNotice`), and has parsed it or not. Null: another process has finished it, or it is put off because the database ended the work on one of its items.
 */
export async function* workInPieces(deps: PieceDeps, queue: Queue, notice: WaitingNotice, parsed: readonly PlacedItem[] | null): Pieces {
  const { database, clock, size, announce } = deps
  const placed = parsed ?? itemsOf([notice])
  const past = pastMomentsOf(placed, clock.now())
  if (await lacksPartitions(database, past)) await makePartitionsFor(database, past)
  const ordered = inOrderOfEffect(placed)
  const aside: SetAside[] = []
  const tooLong: unknown[] = []
  let failed: TakenApart['failed'] = null
  let passedOver = 0
  for (let at = 0; at < ordered.length && tooLong.length < tooLongMax; ) {
    const piece = pieceFrom(ordered, at, size.items())
    const done = await workPiece(deps, queue, notice, piece)
    if (done.kind === 'finished') return null
    if (done.kind === 'too_long' && piece.length > 1) continue
    at += piece.length
    if (done.kind === 'too_long') tooLong.push(done.because)
    else {
      announce(done.worked)
      aside.push(...done.aside)
      failed ??= done.failed
      for (const each of done.worked) passedOver += each.passedOver
    }
    yield
  }
  if (tooLong.length > 0) return putOffSlow(deps, queue, notice, tooLong[0])
  const finished = await conclude(deps, queue, notice, { aside, failed })
  return finished === null ? null : { finished, items: placed.length, setAside: aside.length, passedOver }
}

type Piece = { kind: 'worked' } & Omit<TakenApart, 'items'>
/** `finished`: another process has finished the notice. */
type PieceDone = Piece | { kind: 'finished' } | { kind: 'too_long'; because: unknown }

async function workPiece(deps: PieceDeps, queue: Queue, notice: WaitingNotice, piece: readonly PlacedItem[]): Promise<PieceDone> {
  try {
    const done = await workHalves(deps, queue, notice, piece)
    deps.size.passed()
    return done ?? { kind: 'finished' }
  } catch (error) {
    if (!tookTooLong(error)) throw error
    deps.size.tooMuch()
    return { kind: 'too_long', because: error }
  }
}

/** A piece in one transaction; one that fails by halves, until the item at fault stands alone. Null: the notice is finished. */
async function workHalves(deps: PieceDeps, queue: Queue, notice: WaitingNotice, piece: readonly PlacedItem[]): Promise<Piece | null> {
  const { database, clock } = deps
  const holding = (work: (tx: Tx) => Promise<Omit<Piece, 'kind'>>) =>
    database.repeatable(async (tx): Promise<Piece | null> => {
      const isMine = await holdNotice(tx, queue, { id: notice.id, until: heldUntil(clock) })
      return isMine ? { kind: 'worked', ...(await smallerNextTime(() => work(tx))) } : null
    })
  if (piece.length === 1) return holding((tx) => workEachItem(tx, clock, piece))
  try {
    return await holding(async (tx) => {
      const aside: SetAside[] = []
      const worked = await workThrough(tx, clock, piece, async (items) => void aside.push(...items))
      return { worked: [worked], aside, failed: null }
    })
  } catch (error) {
    if (isOutage(error) || isConflict(error) || tookTooLong(error)) throw error
  }
  const middle = Math.ceil(piece.length / 2)
  const first = await workHalves(deps, queue, notice, piece.slice(0, middle))
  const second = first && (await workHalves(deps, queue, notice, piece.slice(middle)))
  return first && second && both(first, second)
}

const both = (first: Piece, second: Piece): Piece => ({
  kind: 'worked',
  worked: [...first.worked, ...second.worked],
  aside: [...first.aside, ...second.aside],
  failed: first.failed ?? second.failed,
})

/** Null: it was finished meanwhile. */
function conclude(
  deps: PieceDeps,
  queue: Queue,
  notice: WaitingNotice,
  { aside, failed }: { aside: readonly SetAside[]; failed: TakenApart['failed'] },
): Promise<boolean | null> {
  return deps.database.repeatable(async (tx) => {
    if (!(await holdNotice(tx, queue, { id: notice.id, until: heldUntil(deps.clock) }))) return null
    if (failed === null) await finish(tx, queue, [notice], aside)
    else await putOff(tx, deps, queue, notice, failed.because)
    return failed === null
  })
}

/** Leaves a notice for another try, or sets the whole of it aside after the last: then true. */
export async function putOff(
  tx: Tx,
  { clock, observe }: Pick<PieceDeps, 'clock' | 'observe'>,
  queue: Queue,
  notice: WaitingNotice,
  because: unknown,
): Promise<boolean> {
  observe({ kind: 'notices.postponed', notice: notice.id, tries: notice.tries + 1, message: faultWords(because) })
  if (isLastTry(notice.tries)) {
    const reason = because instanceof Error ? because.message : String(because)
    await finish(tx, queue, [notice], [wholeAsideOf(notice, { reason, now: clock.now() })])
    return true
  }
  await postponeNotice(tx, notice.id, new Date(clock.now().getTime() + retryDelayMs(notice.tries)))
  return false
}

/** rule: receive 16. A slow minute is not the fault of what it met: that is tried for ever, each time after about as long as it has waited. */
async function putOffSlow({ database, clock, observe }: PieceDeps, queue: Queue, notice: WaitingNotice, because: unknown): Promise<null> {
  observe({ kind: 'notices.postponed', notice: notice.id, tries: notice.tries, message: faultWords(because) })
  const waitedMs = clock.now().getTime() - notice.receivedAt.getTime()
  const delayMs = Math.min(slowDelayMs.most, Math.max(slowDelayMs.least, waitedMs))
  const until = new Date(clock.now().getTime() + delayMs)
  await database.repeatable((tx) => holdNotice(tx, queue, { id: notice.id, until }))
  return null
}
