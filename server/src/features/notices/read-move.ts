import { isObject, type Json, type JsonObject, textOrDigits } from '../../base/json.ts'
import { type Digits, parsePhone } from '../../base/phone.ts'
import type { PersonMove } from '../contacts/public.ts'
import { momentOf } from './told-at.ts'

/** That a person has another number or user id, as one item tells it. */
export type ReadMove = Omit<PersonMove, 'accountId' | 'livemode'>

/** The last one is of older versions of the API. A changed identity is no other name: the person has a new telephone. */
const moveTypes: ReadonlySet<Json | undefined> = new Set(['user_changed_number', 'user_changed_user_id', 'customer_changed_number'])

/**
 * rule: people 5. Reads what an item of `messages[]` tells of a change of number or user id; null: nothing. `receivedAt` is its moment where it
 * tells none (rule: receive 17). Pure.
 */
export function readMove(item: JsonObject, receivedAt: Date | null = null): ReadMove | null {
  const { system } = item
  const at = momentOf(item.timestamp) ?? receivedAt
  if (item.type !== 'system' || !isObject(system) || !moveTypes.has(system.type) || at === null) return null
  const before = {
    // In older versions the system message names the person of before, too.
    waId: digitsOf(item.from) ?? digitsOf(system.customer),
    userId: textOf(system.previous_user_id) ?? textOf(item.from_user_id),
    parentUserId: textOf(system.previous_parent_user_id) ?? textOf(item.from_parent_user_id),
  }
  const after = {
    waId: digitsOf(system.new_wa_id) ?? digitsOf(system.wa_id),
    userId: textOf(system.user_id),
    parentUserId: textOf(system.parent_user_id),
  }
  return after.waId === null && after.userId === null ? null : { at, before, after }
}

/**
 * rule: people 5. Reads an item of `user_id_update[]`; null: it cannot be read. Whether its phone is the old or the new one is not said, and both
 * would be guessed. Pure.
 */
export function readUserIdUpdate(item: JsonObject, receivedAt: Date | null = null): ReadMove | null {
  const at = momentOf(item.timestamp) ?? receivedAt
  const [userId, parentUserId] = [item.user_id, item.parent_user_id].map((each) => (isObject(each) ? each : {}))
  const before = { waId: null, userId: textOf(userId?.previous), parentUserId: textOf(parentUserId?.previous) }
  const after = { waId: null, userId: textOf(userId?.current), parentUserId: textOf(parentUserId?.current) }
  return at === null || before.userId === null || after.userId === null ? null : { at, before, after }
}

const textOf = (value: Json | undefined): string | null => (typeof value === 'string' && value !== '' ? value : null)
const digitsOf = (value: Json | undefined): Digits | null => parsePhone(textOrDigits(value) ?? '')
