import { isObject, type Json, type JsonObject, type JsonText, textOrDigits } from '../../base/json.ts'
import { parsePhone } from '../../base/phone.ts'
import type { PersonSeen } from '../contacts/public.ts'
import { type InboundNotice, isKnownKind, kindOf, type MessageAct, readContent, type Wamid } from '../messages/public.ts'
import { momentOf, noMoment } from './told-at.ts'

type Placed = 'accountId' | 'channelId' | 'livemode' | 'person'
type Person = Omit<PersonSeen, 'accountId' | 'livemode'>

/** What one item says of a person and a message, what is nothing for us, or why it can't be read. */
export type ReadMessage =
  | { kind: 'message'; message: Omit<InboundNotice, Placed>; person: Person }
  | { kind: 'act'; act: Omit<MessageAct, Placed>; person: Person }
  | { kind: 'opening'; at: Date; person: Person }
  | { kind: 'passed_over' }
  | { kind: 'unreadable'; reason: string }

/** Who sent it, and to whom it is told as what; `receivedAt` is its moment where it tells none (rule: receive 17). */
type Side = {
  origin: InboundNotice['origin']
  status: InboundNotice['status']
  person: Person
  contact: JsonObject | null
  receivedAt: Date | null
}

/** Reads one item of `messages[]` with the contact that came with it. Pure. */
export function readMessage(item: JsonObject, contact: JsonObject | null, receivedAt: Date | null = null): ReadMessage {
  // A group is not a conversation with one person; such notices are kept raw only.
  if (isOfGroup(item)) return { kind: 'passed_over' }
  const person = personOf(item, 'from', contact)
  return readItem(item, { origin: 'live', status: 'received', person, contact, receivedAt })
}

/** Reads one item of `message_echoes[]`: what the business did in the phone's own app. Pure. */
export function readEcho(item: JsonObject, contact: JsonObject | null, receivedAt: Date | null = null): ReadMessage {
  // What the business thinks of a message is nothing that the contract knows.
  if (isOfGroup(item) || kindOf(item) === 'reaction') return { kind: 'passed_over' }
  const person = personOf(item, 'to', contact)
  return readItem(item, { origin: 'echo', status: 'sent', person, contact, receivedAt })
}

/**
 * Reads one message of the history of a number, whose own phone is `ownPhone`; `contact` is the person of the conversation. What was done to
 * messages then is in their words already. Pure.
 */
export function readPast(item: JsonObject, contact: JsonObject | null, ownPhone: string | null, now: Date): ReadMessage {
  if (isOfGroup(item) || actKinds.has(kindOf(item) ?? '')) return { kind: 'passed_over' }
  const at = momentOf(item.timestamp)
  // rule: receive 14. Each month has a place of its own in the tables: not for whatever a notice may say.
  if (at !== null && (at > now || now.getTime() - at.getTime() > pastMsMax))
    return { kind: 'unreadable', reason: 'its time is not of the past year' }
  const isOurs = isSamePhone(textOrDigits(item.from), ownPhone)
  const person = isOurs ? personOf(item, 'to', contact) : personOf(item, 'from', contact)
  return readItem(item, { origin: 'history', status: isOurs ? pastStatus(item) : 'received', person, contact, receivedAt: null })
}

/** Reads one item of `calls[]`. Only who calls opens the window. Pure. */
export function readCall(item: JsonObject, contact: JsonObject | null, receivedAt: Date | null = null): ReadMessage {
  if (item.direction === 'BUSINESS_INITIATED') return { kind: 'passed_over' }
  return opening(item, personOf(item, 'from', contact), receivedAt)
}

const pastMsMax = 366 * 86_400_000
const actKinds: ReadonlySet<string> = new Set(['reaction', 'edit', 'revoke', 'request_welcome'])
const isOfGroup = (item: JsonObject): boolean => typeof item.group_id === 'string' || item.recipient_type === 'group'
const isSamePhone = (phone: string | null, other: string | null): boolean =>
  phone !== null && other !== null && parsePhone(phone) === parsePhone(other)

function pastStatus(item: JsonObject): InboundNotice['status'] {
  const status = isObject(item.history_context) ? item.history_context.status : undefined
  switch (typeof status === 'string' ? status.toUpperCase() : '') {
    case 'READ':
    case 'PLAYED':
      return 'read'
    case 'DELIVERED':
      return 'delivered'
    case 'ERROR':
    case 'FAILED':
      return 'failed'
    default:
      return 'sent'
  }
}

function readItem(item: JsonObject, side: Side): ReadMessage {
  const { person } = side
  if (person.waId === null && person.userId === null) return { kind: 'unreadable', reason: 'it names nobody as its person' }
  const kind = kindOf(item)
  if (kind === 'request_welcome') return opening(item, person, side.receivedAt)
  const at = momentOf(item.timestamp) ?? (isKnownKind(kind) ? side.receivedAt : null)
  if (typeof item.id !== 'string' || item.id === '') return { kind: 'unreadable', reason: 'it has no id' }
  if (at === null) return { kind: 'unreadable', reason: noMoment }
  if (kind === 'reaction' || kind === 'edit' || kind === 'revoke') return readAct(item, kind, { at, wamid: item.id as Wamid, side })
  const content = readContent(item)
  if (content === null) return { kind: 'unreadable', reason: 'it is a text without a body' }
  const quoted = isObject(item.context) ? item.context.id : undefined
  const { origin, status, contact } = side
  return {
    kind: 'message',
    person,
    message: {
      ...content,
      wamid: item.id as Wamid,
      at,
      origin,
      status,
      // rule: receive 4. A system message is the platform's, about the person.
      opensWindow: origin === 'live' && kind !== 'system',
      quoted: typeof quoted === 'string' ? (quoted as Wamid) : null,
      meta: metaOf(item, contact),
    },
  }
}

function readAct(item: JsonObject, kind: 'reaction' | 'edit' | 'revoke', known: { at: Date; wamid: Wamid; side: Side }): ReadMessage {
  const told = isObject(item[kind]) ? item[kind] : {}
  const target = textOf(kind === 'reaction' ? told.message_id : told.original_message_id)
  if (target === null) return { kind: 'unreadable', reason: 'it names no message' }
  const act = actOf(kind, told)
  if (act === null) return { kind: 'unreadable', reason: 'it is an edit without words' }
  const { at, wamid, side } = known
  const by = side.origin === 'echo' ? 'business' : 'person'
  // rule: receive 4. An edit and a deletion open no window.
  const opensWindow = by === 'person' && kind === 'reaction'
  return { kind: 'act', person: side.person, act: { wamid, at, target: target as Wamid, by, opensWindow, act } }
}

function actOf(kind: 'reaction' | 'edit' | 'revoke', told: JsonObject): MessageAct['act'] | null {
  // Taken back: upstream leaves the emoji out, or in its older form empty.
  if (kind === 'reaction') return { kind, emoji: textOf(told.emoji) ?? '' }
  if (kind === 'revoke') return { kind: 'deletion' }
  const content = isObject(told.message) ? readContent(told.message) : null
  return content === null ? null : { kind, text: content.text }
}

function opening(item: JsonObject, person: Person, receivedAt: Date | null): ReadMessage {
  const at = momentOf(item.timestamp) ?? receivedAt
  if (at === null) return { kind: 'unreadable', reason: noMoment }
  if (person.waId === null && person.userId === null) return { kind: 'unreadable', reason: 'it names nobody as its person' }
  return { kind: 'opening', at, person }
}

/** The original object with its contact: only what is this account's (rule: receive 5). */
function metaOf(item: JsonObject, contact: JsonObject | null): JsonText {
  return JSON.stringify(contact === null ? item : { ...item, contact }) as JsonText
}

function personOf(item: JsonObject, side: 'from' | 'to', contact: JsonObject | null): Person {
  const phone = item[side] ?? contact?.wa_id
  const userId = item[`${side}_user_id`] ?? contact?.user_id
  const parentUserId = item[`${side}_parent_user_id`] ?? contact?.parent_user_id
  const profile = isObject(contact?.profile) ? contact.profile : null
  const digits = textOrDigits(phone)
  return {
    waId: digits === null ? null : parsePhone(digits),
    userId: textOf(userId),
    parentUserId: textOf(parentUserId),
    name: textOf(profile?.name),
  }
}

const textOf = (value: Json | undefined): string | null => (typeof value === 'string' && value !== '' ? value : null)
