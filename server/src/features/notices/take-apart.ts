import type { Clock } from '../../base/clock.ts'
import type { Uuid } from '../../base/id.ts'
import type { Tx } from '../../platform/database/database.ts'
import { isAway, isConflict } from '../../platform/database/failure.ts'
import { inSavepoint } from '../../platform/database/savepoint.ts'
import { findByPhoneNumberIds } from '../channels/public.ts'
import { asideOf } from './aside-of.ts'
import type { SetAside } from './set-aside-store.ts'
import { tookTooLong } from './too-long.ts'
import { isLastTry } from './tries.ts'
import { type PlacedItem, type Worked, workThrough } from './work-through.ts'

export type TakenApart = {
  /** What became of each item that could be worked through. */
  worked: readonly Worked[]
  items: number
  /** What is to be set aside, if the notice is finished. */
  aside: readonly SetAside[]
  /** Why the notice must be tried again; null: it is finished. */
  failed: { because: unknown } | null
}

/**
 * Works items of one notice through one by one. An item that fails is set aside at its third try with its reason, and until then the
 * notice is left for another try; the others have taken effect, and a repetition changes nothing of them (rule: receive 7).
 */
export async function workEachItem(tx: Tx, clock: Clock, placed: readonly PlacedItem[]): Promise<TakenApart> {
  const done: WorkedItem[] = []
  for (const each of placed) done.push(await workItem(tx, clock, each))
  return {
    worked: done.flatMap((each) => each.worked),
    items: placed.length,
    aside: done.flatMap((each) => each.aside),
    failed: done.find((each) => each.failed !== null)?.failed ?? null,
  }
}

type WorkedItem = Omit<TakenApart, 'items'>

async function workItem(tx: Tx, clock: Clock, placed: PlacedItem): Promise<WorkedItem> {
  const aside: SetAside[] = []
  const work = () => workThrough(tx, clock, [placed], async (items) => void aside.push(...items))
  try {
    return { worked: [await inSavepoint(tx, work, isOfItem)], aside, failed: null }
  } catch (error) {
    if (!isOfItem(error)) throw error
    if (!isLastTry(placed.notice.tries)) return { worked: [], aside: [], failed: { because: error } }
    const reason = error instanceof Error ? error.message : String(error)
    const accountId = await accountOf(tx, placed)
    return { worked: [], aside: [asideOf(placed, { reason, accountId, awaitsNumber: null, now: clock.now() })], failed: null }
  }
}

/** A conflict takes the whole transaction along: it is repeated as one. */
const isOfItem = (error: unknown): boolean => !(isAway(error) || isConflict(error) || tookTooLong(error))

async function accountOf(tx: Tx, { item }: PlacedItem): Promise<Uuid | null> {
  if (!('phoneNumberId' in item)) return null
  return (await findByPhoneNumberIds(tx, [item.phoneNumberId])).get(item.phoneNumberId)?.accountId ?? null
}
