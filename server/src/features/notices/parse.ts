import {
  isObject,
  type Json,
  type JsonObject,
  type JsonText,
  parseAnyJson,
  storableOf,
  textOrDigits,
  wholeNumber,
} from '../../base/json.ts'
import type { Change, NoticeItem } from './notice.ts'
import { momentOf } from './told-at.ts'

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
  const phoneNumberId = textOrDigits(isObject(value.metadata) ? value.metadata.phone_number_id : undefined)
  if (phoneNumberId === null) return [unreadable(`${path}.value.metadata`, change, 'it names no phone_number_id')]
  return read(value, { field, phoneNumberId, path: `${path}.value` }, { change, ...around })
}

type Where = { field: string; phoneNumberId: string; path: string }
type Reader = (value: JsonObject, where: Where, around: Around & { change: JsonObject }) => NoticeItem[]

/** The fields that tell of people and their messages; every other one is a change. */
const readers: Readonly<Partial<Record<string, Reader>>> = {
  messages: itemsOfMessages,
  standby: itemsOfStandby,
  smb_message_echoes: (value, where) => itemsOfPeople('echo', listOf(value, 'message_echoes', where), value.contacts, where),
  history: itemsOfHistory,
  calls: (value, where) => itemsOfPeople('call', listOf(value, 'calls', where), value.contacts, where),
  user_id_update: (value, where) =>
    listOf(value, 'user_id_update', where).map(
      ({ path, value: update }): NoticeItem =>
        isObject(update)
          ? { kind: 'user_id', phoneNumberId: where.phoneNumberId, update }
          : unreadable(path, update, 'it is not an object'),
    ),
  user_preferences: (value, where, around) => {
    const contacts = contactsOf(value.contacts)
    return listOf(value, 'user_preferences', where).map((each) => preferenceItem(each, value, { ...where, ...around, contacts }))
  },
}

function itemsOfMessages(value: JsonObject, where: Where): NoticeItem[] {
  return [
    ...itemsOfPeople('message', listOf(value, 'messages', where), value.contacts, where),
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
    ...itemsOfPeople('message', listOf(inner, 'messages', deeper), contacts, deeper),
    ...passedOver.map((): NoticeItem => ({ kind: 'passed_over', field: where.field })),
  ]
}

/** Conversations of the past, and the files that were promised in them, which come later and one by one. */
function itemsOfHistory(value: JsonObject, where: Where): NoticeItem[] {
  const ownPhone = isObject(value.metadata) ? textOrDigits(value.metadata.display_phone_number) : null
  const chunks = listOf(value, 'history', where)
  const read = chunks.flatMap((chunk) => {
    if (!isObject(chunk.value)) return [unreadable(chunk.path, chunk.value, 'it is not an object')]
    const inChunk = { ...where, path: chunk.path }
    const threads = listOf(chunk.value, 'threads', inChunk).flatMap((thread) => itemsOfThread(thread, inChunk, ownPhone))
    return [...threads, ...errorsOf(chunk.value, where)]
  })
  const files = itemsOfPeople('history', listOf(value, 'messages', where), value.contacts, where, ownPhone)
  return [...read, ...files, ...errorsOf(value, where)]
}

function itemsOfThread(thread: Found, where: Where, ownPhone: string | null): NoticeItem[] {
  if (!isObject(thread.value)) return [unreadable(thread.path, thread.value, 'it is not an object')]
  const { context, id } = thread.value
  const waId = textOrDigits(id)
  const person: JsonObject = { ...(waId === null ? {} : { wa_id: waId }), ...(isObject(context) ? context : {}) }
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
  return [{ kind: 'errors', field, codes: errors.flatMap(({ code }) => wholeNumber(code) ?? []) }]
}

function changeOf(field: string, value: JsonObject, { object, entry, change }: Around & { change: JsonObject }): Change {
  const { id, time } = entry
  const meta = JSON.stringify({ object, entry: [{ id, ...(time === undefined ? {} : { time }), changes: [change] }] }) as JsonText
  return { field, value, entryId: textOrDigits(id), at: momentOf(time), meta }
}

type Found = { path: string; value: Json }

function listOf(value: JsonObject, key: string, { path }: Pick<Where, 'path'>): Found[] {
  const list = value[key]
  if (list === undefined || list === null) return []
  const inside = `${path}.${key}`
  return Array.isArray(list) ? list.map((each, i) => ({ path: `${inside}[${i}]`, value: each })) : [{ path: inside, value: list }]
}

type OfPerson = 'message' | 'echo' | 'call' | 'history'

function itemsOfPeople(kind: OfPerson, found: readonly Found[], listed: Json | undefined, where: Where, ownPhone: string | null = null) {
  const contacts = contactsOf(listed)
  return found.map((each) => personItem(kind, each, contacts, where, ownPhone))
}

function personItem(
  kind: OfPerson,
  { path, value }: Found,
  contacts: Contacts,
  { phoneNumberId }: Where,
  ownPhone: string | null,
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
  { field, phoneNumberId, change, contacts, ...around }: Where & Around & { change: JsonObject; contacts: Contacts },
): NoticeItem {
  if (!isObject(preference)) return unreadable(path, preference, 'it is not an object')
  const contact = contactOf(preference, contacts, ['user_id', 'wa_id'])
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
function contactOf(message: JsonObject, contacts: Contacts, [userId, phone]: readonly [string, string]): JsonObject | null {
  const same = (known: ReadonlyMap<string, JsonObject>, id: Json | undefined) => known.get(textOrDigits(id) ?? '')
  return same(contacts.byUserId, message[userId]) ?? same(contacts.byPhone, message[phone]) ?? null
}

/** The contacts of a notice by what they are called: a large one has thousands, and as many messages that ask for theirs. */
type Contacts = { byUserId: ReadonlyMap<string, JsonObject>; byPhone: ReadonlyMap<string, JsonObject> }

/** Of two with one name the first counts. */
function contactsOf(listed: Json | undefined): Contacts {
  const people = Array.isArray(listed) ? listed.filter(isObject).reverse() : []
  const by = (key: string) =>
    new Map(
      people.flatMap((person): [string, JsonObject][] => {
        const name = textOrDigits(person[key])
        return name === null ? [] : [[name, person]]
      }),
    )
  return { byUserId: by('user_id'), byPhone: by('wa_id') }
}

function unreadable(field: string, item: Json, reason: string): NoticeItem {
  return { kind: 'unreadable', field, item: JSON.stringify(item) as JsonText, reason }
}
