import { isObject, type JsonObject } from '../../base/json.ts'
import { parsePhone } from '../../base/phone.ts'
import type { PersonSeen } from '../contacts/public.ts'
import { momentOfSeconds } from './read-status.ts'

/** One person's word about marketing messages, or why it can't be read. */
export type ReadPreference =
  | { kind: 'preference'; wanted: boolean; at: Date; person: Omit<PersonSeen, 'accountId' | 'livemode'> }
  | { kind: 'passed_over' }
  | { kind: 'unreadable'; reason: string }

/** Reads one item of `user_preferences[]` with the contact that came with it. Pure. */
export function readPreference(item: JsonObject, contact: JsonObject | null): ReadPreference {
  // Marketing is the only category so far.
  if (item.category !== 'marketing_messages') return { kind: 'passed_over' }
  if (item.value !== 'stop' && item.value !== 'resume') return { kind: 'unreadable', reason: 'it says neither stop nor resume' }
  const at = momentOfSeconds(item.timestamp)
  if (at === null) return { kind: 'unreadable', reason: 'its timestamp is not in seconds' }
  const person = personOf(item, contact)
  if (person.waId === null && person.userId === null) return { kind: 'unreadable', reason: 'it names nobody' }
  return { kind: 'preference', wanted: item.value === 'resume', at, person }
}

function personOf(item: JsonObject, contact: JsonObject | null) {
  const text = (key: string) => [item[key], contact?.[key]].find((each) => typeof each === 'string' && each !== '')
  const [waId, userId] = [text('wa_id'), text('user_id')]
  const name = isObject(contact?.profile) ? contact.profile.name : null
  return {
    waId: typeof waId === 'string' ? parsePhone(waId) : null,
    userId: typeof userId === 'string' ? userId : null,
    name: typeof name === 'string' && name !== '' ? name : null,
  }
}
