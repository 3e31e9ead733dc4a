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
  const read = readers[field]
  if (read === undefined) return [{ kind: 'change', change: changeOf(field, value, { change, ...around }) }]
  const phoneNumberId = isObject(value.metadata) ? value.metadata.phone_number_id : undefined
  if (typeof phoneNumberId !== 'string') return [unreadable(`${path}.value.metadata`, change, 'it names no phone_number_id')]
  return read(value, { field, phoneNumberId, path: `${path}.value` }, { change, ...around })
}

type Where = { field: string; phoneNumberId: string; path: string }
type Reader = (value: JsonObject, where: Where, around: Around & { change: JsonObject }) => NoticeItem[]

/** The fields that tell of people and their messages; every other one is a change. */
const readers: Readonly<Partial<Record<string, Reader>>> = {
  messages: itemsOfMessages,
  standby: itemsOfStandby,
  smb_message_echoes: (value, where) =>
    listOf(value, 'message_echoes', where).map((each) => personItem('echo', each, value.contacts, where)),
  history: itemsOfHistory,
  calls: (value, where) => listOf(value, 'calls', where).map((each) => personItem('call', each, value.contacts, where)),
  user_preferences: (value, where, around) =>
    listOf(value, 'user_preferences', where).map((each) => preferenceItem(each, value, { ...where, ...around })),
}

function itemsOfMessages(value: JsonObject, where: Where): NoticeItem[] {
  return [
    ...listOf(value, 'messages', where).map((each) => personItem('message', each, value.contacts, where)),
    ...listOf(value, 'statuses', where).map((each) => statusItem(each, where)),
    ...errorsOf(value, where),
  ]
}

/** What another app of the business has in hand: people's messages are ours too, its own and their statuses are not. */
function itemsOfStandby(value: JsonObject, where: Where): NoticeItem[] {
  const inner = isObject(value.standby) ? value.standby : {}
  const deeper = { ...where, path: `${where.path}.standby` }
  const contacts = inner.contacts ?? value.contacts
  const passedOver = [...listOf(inner, 'message_echoes', deeper), ...listOf(inner, 'statuses', deeper)]
  return [
    ...listOf(inner, 'messages', deeper).map((each) => personItem('message', each, contacts, deeper)),
    ...passedOver.map((): NoticeItem => ({ kind: 'passed_over', field: where.field })),
  ]
}

/** Conversations of the past, and the files that were promised in them, which come later and one by one. */
function itemsOfHistory(value: JsonObject, where: Where): NoticeItem[] {
  const ownPhone = isObject(value.metadata) ? textOrNull(value.metadata.display_phone_number) : null
  const chunks = listOf(value, 'history', where)
  const read = chunks.flatMap((chunk) => {
    if (!isObject(chunk.value)) return [unreadable(chunk.path, chunk.value, 'it is not an object')]
    const inChunk = { ...where, path: chunk.path }
    const threads = listOf(chunk.value, 'threads', inChunk).flatMap((thread) => itemsOfThread(thread, inChunk, ownPhone))
    return [...threads, ...errorsOf(chunk.value, where)]
  })
  const files = listOf(value, 'messages', where).map((each) => personItem('history', each, value.contacts, where, ownPhone))
  return [...read, ...files, ...errorsOf(value, where)]
}

function itemsOfThread(thread: Found, where: Where, ownPhone: string | null): NoticeItem[] {
  if (!isObject(thread.value)) return [unreadable(thread.path, thread.value, 'it is not an object')]
  const { context, id } = thread.value
  const person: JsonObject = { ...(typeof id === 'string' ? { wa_id: id } : {}), ...(isObject(context) ? context : {}) }
  return listOf(thread.value, 'messages', { ...where, path: thread.path }).map(
    ({ path, value }): NoticeItem =>
      isObject(value)
        ? { kind: 'history', phoneNumberId: where.phoneNumberId, message: value, contact: person, ownPhone }
        : unreadable(path, value, 'it is not an object'),
  )
}

function errorsOf(value: JsonObject, { field }: Where): NoticeItem[] {
  const errors = Array.isArray(value.errors) ? value.errors.filter(isObject) : []
  if (errors.length === 0) return []
  return [{ kind: 'errors', field, codes: errors.flatMap(({ code }) => (typeof code === 'number' ? [code] : [])) }]
}

function changeOf(field: string, value: JsonObject, { object, entry, change }: Around & { change: JsonObject }): Change {
  const { id, time } = entry
  const meta = JSON.stringify({ object, entry: [{ id, ...(time === undefined ? {} : { time }), changes: [change] }] }) as JsonText
  return { field, value, entryId: typeof id === 'string' ? id : null, at: momentOfSeconds(time), meta }
}

type Found = { path: string; value: Json }

function listOf(value: JsonObject, key: string, { path }: Pick<Where, 'path'>): Found[] {
  const list = value[key]
  if (list === undefined || list === null) return []
  const inside = `${path}.${key}`
  return Array.isArray(list) ? list.map((each, i) => ({ path: `${inside}[${i}]`, value: each })) : [{ path: inside, value: list }]
}

function personItem(
  kind: 'message' | 'echo' | 'call' | 'history',
  { path, value }: Found,
  contacts: Json | undefined,
  { phoneNumberId }: Where,
  ownPhone: string | null = null,
): NoticeItem {
  if (!isObject(value)) return unreadable(path, value, 'it is not an object')
  const contact = contactOf(value, contacts, kind === 'echo' ? ['to_user_id', 'to'] : ['from_user_id', 'from'])
  if (kind === 'history') return { kind, phoneNumberId, message: value, contact, ownPhone }
  return { kind, phoneNumberId, message: value, contact }
}

/** Each person's word by itself, so that its event tells of nobody else. */
function preferenceItem(
  { path, value: preference }: Found,
  whole: JsonObject,
  { field, phoneNumberId, change, ...around }: Where & Around & { change: JsonObject },
): NoticeItem {
  if (!isObject(preference)) return unreadable(path, preference, 'it is not an object')
  const contact = contactOf(preference, whole.contacts, ['user_id', 'wa_id'])
  const value: JsonObject = { ...whole, user_preferences: [preference] }
  if (contact !== null) value.contacts = [contact]
  else delete value.contacts
  const own = changeOf(field, value, { ...around, change: { ...change, value } })
  return { kind: 'preference', phoneNumberId, preference, contact, change: own }
}

function statusItem({ path, value }: Found, { phoneNumberId }: Where): NoticeItem {
  return isObject(value) ? { kind: 'status', phoneNumberId, status: value } : unreadable(path, value, 'it is not an object')
}

/** By id and never by position: a batch lists its contacts in an order of its own, and may leave some out. */
function contactOf(message: JsonObject, contacts: Json | undefined, [userId, phone]: readonly [string, string]): JsonObject | null {
  if (!Array.isArray(contacts)) return null
  const people = contacts.filter(isObject)
  const same = (key: string, id: Json | undefined) => (typeof id === 'string' ? people.find((person) => person[key] === id) : undefined)
  return same('user_id', message[userId]) ?? same('wa_id', message[phone]) ?? null
}

const textOrNull = (value: Json | undefined): string | null => (typeof value === 'string' ? value : null)

function unreadable(field: string, item: Json, reason: string): NoticeItem {
  return { kind: 'unreadable', field, item: JSON.stringify(item) as JsonText, reason }
}
