import type { Clock } from '../../base/clock.ts'
import { newUuid, type Uuid } from '../../base/id.ts'
import type { JsonText } from '../../base/json.ts'
import type { Tx } from '../../platform/database/database.ts'
import { isOutage } from '../../platform/database/failure.ts'
import { statement } from '../../platform/database/statement.ts'
import type { DeliveryHint } from '../webhooks/public.ts'
import { finishNotices, insertSetAside, takeWaiting, type WaitingNotice } from './store.ts'
import { itemsOf, type PlacedItem, workThrough } from './work-through.ts'

const savepoint = statement('savepoint_item', 'savepoint item')
const rollback = statement('rollback_item', 'rollback to savepoint item')
const release = statement('release_item', 'release savepoint item')

/**
 * Works one notice through item by item: an item that fails is set aside at its third try with its reason, and until then the
 * notice is tried again; the others have taken effect, and a repetition changes nothing of them (rule: receive 7). Throws what failed.
 */
export async function workEachItem(tx: Tx, clock: Clock, id: Uuid): Promise<readonly DeliveryHint[]> {
  const [notice] = await takeWaiting(tx, clock.now(), 1, id)
  if (notice === undefined) return []
  const hints: DeliveryHint[] = []
  for (const placed of itemsOf([notice])) hints.push(...(await workItem(tx, clock, placed)))
  await finishNotices(tx, [id])
  return hints
}

const lastTry = 2

async function workItem(tx: Tx, clock: Clock, placed: PlacedItem): Promise<readonly DeliveryHint[]> {
  await tx.run(savepoint, [])
  try {
    const { hints } = await workThrough(tx, clock, [placed])
    await tx.run(release, [])
    return hints
  } catch (error) {
    if (isOutage(error) || placed.notice.tries < lastTry) throw error
    await tx.run(rollback, [])
    await setAside(tx, clock, placed, error instanceof Error ? error.message : String(error))
    return []
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
