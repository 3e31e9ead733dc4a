import { codeFactsOrPlain } from './codes.ts'
import type { NumberState } from './numbers.ts'
import type { Person } from './person.ts'
import type { Template } from './templates.ts'

/** One status or inbound message on its way to the callback. `label` names it in the history; `message` is what is remembered of one that came in. */
export type NoticeItem = {
  number: NumberState
  list: 'statuses' | 'messages'
  label: string
  contact: object | null
  content: object
  message: { wamid: string; waId: string; kind: string; atMs: number } | null
}

/** What a status tells of the message that it is about. `person` lacks the WhatsApp id when the send went to a user id. */
export type StatusSubject = {
  wamid: string
  number: NumberState
  person: { waId: string | null; userId: string | null }
  opaque: string | null
  template: Template | null
}

/** A status notice in the shape of v24 and later: no conversation, contacts without a profile. `atMs` is Unix milliseconds. */
export function statusItem(subject: StatusSubject, status: string, atMs: number): NoticeItem {
  const priced = status === 'sent' || status === 'delivered'
  const content = { ...statusHead(subject, status, atMs), ...(priced ? { pricing: pricingOf(subject.template) } : {}) }
  return {
    number: subject.number,
    list: 'statuses',
    label: `${subject.wamid} ${status}`,
    contact: contactOf(subject.person),
    content,
    message: null,
  }
}

/** A `failed` notice with the code's own title, and its own details unless others are given. */
export function failedItem(subject: StatusSubject, failure: { code: number; details?: string }, atMs: number): NoticeItem {
  const { code } = failure
  const { title, ...facts } = codeFactsOrPlain(code)
  const details = failure.details ?? facts.details
  const content = { ...statusHead(subject, 'failed', atMs), errors: [{ code, title, message: title, error_data: { details } }] }
  const { waId, userId } = subject.person
  const contact = waId === null ? { user_id: userId } : { wa_id: waId }
  return { number: subject.number, list: 'statuses', label: `${subject.wamid} failed`, contact, content, message: null }
}

/** What a person did. `head` is what stands beside the content: a quotation, an advertisement. Without `phoneKnown` nothing tells their phone. */
export type Inbound = {
  number: NumberState
  person: Person
  name: string
  wamid: string
  atSeconds: string
  content: { type: string; [key: string]: unknown }
  head: object
  phoneKnown: boolean
}

/** The notice of an inbound message. */
export function inboundItem(inbound: Inbound): NoticeItem {
  const { number, wamid, name, content, phoneKnown } = inbound
  const { waId, userId } = inbound.person
  const phone = phoneKnown ? { wa_id: waId } : {}
  const profile = phoneKnown ? { name } : { name, username: `@person.${userId.slice(-6).toLowerCase()}` }
  const message = { wamid, waId, kind: content.type, atMs: Number(inbound.atSeconds) * 1000 }
  return {
    ...{ number, list: 'messages', message },
    label: `${wamid} ${content.type}`,
    // The platform tells of no contact with what it says itself.
    contact: content.type === 'system' ? null : { profile, ...phone, user_id: userId },
    content: {
      ...inbound.head,
      ...(phoneKnown ? { from: waId } : {}),
      from_user_id: userId,
      id: wamid,
      timestamp: inbound.atSeconds,
      ...content,
    },
  }
}

/** The body of one POST that carries all these items: an entry for each WABA, a change for each number and list. */
export function noticeBody(items: readonly NoticeItem[]): string {
  const entries = new Map<string, { id: string; changes: object[] }>()
  for (const group of Map.groupBy(items, (item) => `${item.number.phoneNumberId} ${item.list}`).values()) {
    const first = group[0]
    if (first === undefined) continue
    const { wabaId, displayDigits, phoneNumberId } = first.number
    const entry = entries.get(wabaId) ?? { id: wabaId, changes: [] }
    entries.set(wabaId, entry)
    const contacts = group.map((item) => item.contact).filter((contact) => contact !== null)
    const value = {
      messaging_product: 'whatsapp',
      metadata: { display_phone_number: displayDigits, phone_number_id: phoneNumberId },
      ...(contacts.length === 0 ? {} : { contacts }),
      [first.list]: group.map((item) => item.content),
    }
    entry.changes.push({ value, field: 'messages' })
  }
  return JSON.stringify({ object: 'whatsapp_business_account', entry: [...entries.values()] })
}

function statusHead(subject: StatusSubject, status: string, atMs: number): object {
  const { waId, userId } = subject.person
  return {
    id: subject.wamid,
    status,
    timestamp: String(Math.floor(atMs / 1000)),
    ...(waId === null ? {} : { recipient_id: waId }),
    ...(userId === null ? {} : { recipient_user_id: userId }),
    ...(subject.opaque === null ? {} : { biz_opaque_callback_data: subject.opaque }),
  }
}

function contactOf(person: StatusSubject['person']): object {
  return { ...(person.waId === null ? {} : { wa_id: person.waId }), ...(person.userId === null ? {} : { user_id: person.userId }) }
}

function pricingOf(template: Template | null): object {
  if (template === null) return { billable: false, pricing_model: 'PMP', type: 'free_customer_service', category: 'service' }
  return { billable: true, pricing_model: 'PMP', type: 'regular', category: template.category.toLowerCase() }
}
