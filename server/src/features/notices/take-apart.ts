import type { Clock } from '../../base/clock.ts'
import { newUuid, type Uuid } from '../../base/id.ts'
import type { JsonText } from '../../base/json.ts'
import type { Tx } from '../../platform/database/database.ts'
import { isConflict, isOutage } from '../../platform/database/failure.ts'
import { statement } from '../../platform/database/statement.ts'
import type { DeliveryHint } from '../webhooks/public.ts'
import { finishNotices, insertSetAside, takeWaiting, type WaitingNotice } from './store.ts'
import { itemsOf, type PlacedItem, workThrough } from './work-through.ts'

const savepoint = statement('savepoint_item', 'savepoint item')
const rollback = statement('rollback_item', 'rollback to savepoint item')
const release = statement('release_item', 'release savepoint item')

export type TakenApart = {
  hints: readonly DeliveryHint[]
  /** The notice must be tried again, and why; null: it is finished. */
  failed: { notice: WaitingNotice; because: unknown } | null
}

/**
 * Works one notice through item by item: an item that fails is set aside at its third try with its reason, and until then the
 * notice is left for another try; the others have taken effect, and a repetition changes nothing of them (rule: receive 7).
 */
export async function workEachItem(tx: Tx, clock: Clock, id: Uuid): Promise<TakenApart> {
  const [notice] = await takeWaiting(tx, clock.now(), 1, id)
  if (notice === undefined) return { hints: [], failed: null }
  const hints: DeliveryHint[] = []
  let failed: TakenApart['failed'] = null
  for (const placed of itemsOf([notice])) {
    const worked = await workItem(tx, clock, placed)
    hints.push(...worked.hints)
    failed ??= worked.failed
  }
  if (failed === null) await finishNotices(tx, [id])
  return { hints, failed }
}

const lastTry = 2

async function workItem(tx: Tx, clock: Clock, placed: PlacedItem): Promise<TakenApart> {
  await tx.run(savepoint, [])
  try {
    const { hints } = await workThrough(tx, clock, [placed])
    await tx.run(release, [])
    return { hints, failed: null }
  } catch (error) {
    // A conflict takes the whole transaction along: it is repeated as one.
    if (isOutage(error) || isConflict(error)) throw error
    await tx.run(rollback, [])
    if (placed.notice.tries < lastTry) return { hints: [], failed: { notice: placed.notice, because: error } }
    await setAside(tx, clock, placed, error instanceof Error ? error.message : String(error))
    return { hints: [], failed: null }
  }
}

async function setAside(tx: Tx, clock: Clock, { notice, item }: PlacedItem, reason: string): Promise<void> {
  const now = clock.now()
  await insertSetAside(tx, [
    { id: newUuid(now), inboxId: notice.id, field: item.kind, item: JSON.stringify(item) as JsonText, reason, createdAt: now },
  ])
}

/** Sets a whole notice aside that could not even be taken apart. */
export async function setAsideNotice(tx: Tx, clock: Clock, notice: WaitingNotice, reason: string): Promise<void> {
  const now = clock.now()
  await insertSetAside(tx, [
    {
      id: newUuid(now),
      inboxId: notice.id,
      field: 'body',
      item: JSON.stringify(notice.body.toString('utf8')) as JsonText,
      reason,
      createdAt: now,
    },
  ])
  await finishNotices(tx, [notice.id])
}
