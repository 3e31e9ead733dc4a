import { isObject, type Json, type JsonObject, type JsonText, parseAnyJson, storableOf } from '../../base/json.ts'
import type { Change, NoticeItem } from './notice.ts'
import { momentOfSeconds } from './read-status.ts'

/**
 * Everything that a notice tells: every entry, every change, every message and status. Never throws: what cannot be read
 * becomes an item that says why, beside its neighbours that can (rule: receive 7).
 */
export function parseNotice(body: Buffer): NoticeItem[] {
  const value = jsonOf(body)
  if (value === null) return [unreadable('body', body.toString('utf8'), 'it is not JSON')]
  const entries = isObject(value) ? value.entry : undefined
  if (!Array.isArray(entries)) return [unreadable('entry', value, 'it has no list of entries')]
  const object = isObject(value) ? (value.object ?? null) : null
  return entries.flatMap((entry, i) => itemsOfEntry(entry, object, `entry[${i}]`))
}

function jsonOf(body: Buffer): Json {
  try {
    const text = body.toString('utf8')
    return storableOf(text, parseAnyJson(text))
  } catch {
    return null
  }
}

function itemsOfEntry(entry: Json, object: Json, path: string): NoticeItem[] {
  if (!isObject(entry) || !Array.isArray(entry.changes)) return [unreadable(path, entry, 'it has no list of changes')]
  const around = { object, entry }
  return entry.changes.flatMap((change, i) => itemsOfChange(change, around, `${path}.changes[${i}]`))
}

type Around = { object: Json; entry: JsonObject }

function itemsOfChange(change: Json, around: Around, path: string): NoticeItem[] {
  if (!isObject(change) || typeof change.field !== 'string') return [unreadable(path, change, 'it has no field')]
  const { value, field } = change
  if (!isObject(value)) return [unreadable(`${path}.value`, change, 'it has no value')]
  if (field !== 'messages' && field !== 'user_preferences')
    return [{ kind: 'change', change: changeOf(field, value, { change, ...around }) }]
  const phoneNumberId = isObject(value.metadata) ? value.metadata.phone_number_id : undefined
  if (typeof phoneNumberId !== 'string') return [unreadable(`${path}.value.metadata`, change, 'it names no phone_number_id')]
  if (field === 'user_preferences') {
    const given = { phoneNumberId, change, value, ...around }
    return listOf(value, field, path).map((each) => preferenceItem(each, given))
  }
  return [
    ...listOf(value, 'messages', path).map((each) => messageItem(each, phoneNumberId, value.contacts)),
    ...listOf(value, 'statuses', path).map((each) => statusItem(each, phoneNumberId)),
  ]
}

function changeOf(field: string, value: JsonObject, { object, entry, change }: Around & { change: JsonObject }): Change {
  const { id, time } = entry
  const meta = JSON.stringify({ object, entry: [{ id, ...(time === undefined ? {} : { time }), changes: [change] }] }) as JsonText
  return { field, value, entryId: typeof id === 'string' ? id : null, at: momentOfSeconds(time), meta }
}

type Found = { path: string; value: Json }

function listOf(value: JsonObject, key: string, path: string): Found[] {
  const list = value[key]
  if (list === undefined || list === null) return []
  const where = `${path}.value.${key}`
  return Array.isArray(list) ? list.map((each, i) => ({ path: `${where}[${i}]`, value: each })) : [{ path: where, value: list }]
}

function messageItem({ path, value }: Found, phoneNumberId: string, contacts: Json | undefined): NoticeItem {
  if (!isObject(value)) return unreadable(path, value, 'it is not an object')
  return { kind: 'message', phoneNumberId, message: value, contact: contactOf({ userId: value.from_user_id, waId: value.from }, contacts) }
}

type GivenPreferences = Around & { phoneNumberId: string; change: JsonObject; value: JsonObject }

/** Each person's word by itself, so that its event tells of nobody else. */
function preferenceItem({ path, value: preference }: Found, { phoneNumberId, change, value, ...around }: GivenPreferences): NoticeItem {
  if (!isObject(preference)) return unreadable(path, preference, 'it is not an object')
  const contact = contactOf({ userId: preference.user_id, waId: preference.wa_id }, value.contacts)
  const { contacts: _ofAll, ...rest } = value
  const own: JsonObject = { ...rest, ...(contact === null ? {} : { contacts: [contact] }), user_preferences: [preference] }
  const narrowed = { ...change, value: own }
  return {
    kind: 'preference',
    phoneNumberId,
    preference,
    contact,
    change: changeOf('user_preferences', own, { ...around, change: narrowed }),
  }
}

function statusItem({ path, value }: Found, phoneNumberId: string): NoticeItem {
  return isObject(value) ? { kind: 'status', phoneNumberId, status: value } : unreadable(path, value, 'it is not an object')
}

/** By id and never by position: a batch lists its contacts in an order of its own, and may leave some out. */
function contactOf(who: { userId: Json | undefined; waId: Json | undefined }, contacts: Json | undefined): JsonObject | null {
  if (!Array.isArray(contacts)) return null
  const people = contacts.filter(isObject)
  const same = (key: string, id: Json | undefined) => (typeof id === 'string' ? people.find((person) => person[key] === id) : undefined)
  return same('user_id', who.userId) ?? same('wa_id', who.waId) ?? null
}

function unreadable(field: string, item: Json, reason: string): NoticeItem {
  return { kind: 'unreadable', field, item: JSON.stringify(item) as JsonText, reason }
}
