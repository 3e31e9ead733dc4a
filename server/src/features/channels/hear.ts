import type { Tx } from '../../platform/database/database.ts'
import type { ToldOfNumber } from './channel.ts'
import { lastTold } from './rules.ts'
import { updateToldOfChannels } from './told-store.ts'

/**
 * rule: changes 3. Takes in what notices told of numbers, in any order and however often, in the caller's transaction: of each fact what
 * was told last counts. A number whose token the operator took away stays disconnected by the operator.
 */
export async function hearOfNumbers(tx: Tx, told: readonly ToldOfNumber[]): Promise<void> {
  await updateToldOfChannels(tx, lastTold(told))
}
