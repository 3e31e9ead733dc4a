import type { Clock } from '../../base/clock.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { DeliveryHint } from '../webhooks/public.ts'
import type { Change } from './notice.ts'

/** Takes in changes of templates, numbers, accounts and preferences; those that are nothing for us are passed over, and kept raw. */
export async function applyChanges(
  _tx: Tx,
  _clock: Clock,
  changes: readonly Change[],
): Promise<{ hints: readonly DeliveryHint[]; passedOver: number }> {
  return { hints: [], passedOver: changes.length }
}
