import { isObject, type JsonObject, textOrDigits } from '../../base/json.ts'
import { parsePhone } from '../../base/phone.ts'
import type { PersonSeen } from '../contacts/public.ts'
import { momentOf, noMoment } from './told-at.ts'

/** One person's word about marketing messages, or why it can't be read. */
export type ReadPreference =
  | { kind: 'preference'; wanted: boolean; at: Date; person: Omit<PersonSeen, 'accountId' | 'livemode'> }
  | { kind: 'passed_over' }
  | { kind: 'unreadable'; reason: string }

/**
 * Reads one item of `user_preferences[]` with the contact that came with it; `receivedAt` is its moment where it tells none (rule: receive 17).
 * Pure.
 */
export function readPreference(item: JsonObject, contact: JsonObject | null, receivedAt: Date | null = null): ReadPreference {
  // Marketing is the only category so far.
  if (item.category !== 'marketing_messages') return { kind: 'passed_over' }
  if (item.value !== 'stop' && item.value !== 'resume') return { kind: 'unreadable', reason: 'it says neither stop nor resume' }
  const at = momentOf(item.timestamp) ?? receivedAt
  if (at === null) return { kind: 'unreadable', reason: noMoment }
  const person = personOf(item, contact)
  if (person.waId === null && person.userId === null) return { kind: 'unreadable', reason: 'it names nobody' }
  return { kind: 'preference', wanted: item.value === 'resume', at, person }
}

function personOf(item: JsonObject, contact: JsonObject | null) {
  const text = (key: string) => textOrDigits(item[key]) ?? textOrDigits(contact?.[key])
  const [waId, userId] = [text('wa_id'), text('user_id')]
  const name = isObject(contact?.profile) ? contact.profile.name : null
  return {
    waId: parsePhone(waId ?? ''),
    userId: userId ?? null,
    name: typeof name === 'string' && name !== '' ? name : null,
  }
}
