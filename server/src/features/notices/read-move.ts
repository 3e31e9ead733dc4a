import { isObject, type Json, type JsonObject } from '../../base/json.ts'
import { type Digits, parsePhone } from '../../base/phone.ts'
import type { PersonMove } from '../contacts/public.ts'
import { momentOfSeconds } from './read-status.ts'

/** That a person has another number or user id, as one item tells it. */
export type ReadMove = Omit<PersonMove, 'accountId' | 'livemode'>

/** The last one is of older versions of the API. A changed identity is no other name: the person has a new telephone. */
const moveTypes: ReadonlySet<Json | undefined> = new Set(['user_changed_number', 'user_changed_user_id', 'customer_changed_number'])

/** rule: people 5. Reads what an item of `messages[]` tells of a change of number or user id; null: nothing. Pure. */
export function readMove(item: JsonObject): ReadMove | null {
  const { system } = item
  const at = momentOfSeconds(item.timestamp)
  if (item.type !== 'system' || !isObject(system) || !moveTypes.has(system.type) || at === null) return null
  const before = {
    waId: digitsOf(item.from),
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

const textOf = (value: Json | undefined): string | null => (typeof value === 'string' && value !== '' ? value : null)
const digitsOf = (value: Json | undefined): Digits | null => (typeof value === 'string' ? parsePhone(value) : null)
