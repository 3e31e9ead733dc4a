import type { JsonObject, JsonText } from '../../base/json.ts'
import type { NoticeItem } from './notice.ts'

const object = 'whatsapp_business_account'

/**
 * A notice that tells nothing but this item, so that it can be worked through again when the whole notice is not kept any more.
 * `body` is the whole one: what could not even be taken apart stays as it came.
 */
export function noticeOfItem(body: Buffer, item: NoticeItem): Buffer {
  switch (item.kind) {
    case 'message':
      return ofNumber('messages', item.phoneNumberId, { ...contactsOf(item), messages: [item.message] })
    case 'echo':
      return ofNumber('smb_message_echoes', item.phoneNumberId, { ...contactsOf(item), message_echoes: [item.message] })
    case 'call':
      return ofNumber('calls', item.phoneNumberId, { ...contactsOf(item), calls: [item.message] })
    case 'history':
      return ofNumber('history', item.phoneNumberId, pastOf(item), item.ownPhone)
    case 'status':
      return ofNumber('messages', item.phoneNumberId, { statuses: [item.status] })
    case 'user_id':
      return ofNumber('user_id_update', item.phoneNumberId, { user_id_update: [item.update] })
    case 'preference':
    case 'change':
      return Buffer.from(item.change.meta)
    case 'unreadable':
      return ofUnreadable(body, item.field, item.item)
    case 'errors':
    case 'passed_over':
      return body
  }
}

type OfPerson = Extract<NoticeItem, { contact: JsonObject | null; message: JsonObject }>

const contactsOf = ({ contact }: OfPerson) => (contact === null ? {} : { contacts: [contact] })

/** A conversation is named by its person, and the rest of what is known of them stands in its context. */
function pastOf({ contact, message }: OfPerson): JsonObject {
  if (contact === null) return { messages: [message] }
  const { wa_id: id, ...context } = contact
  return { history: [{ threads: [{ ...(id === undefined ? {} : { id }), context, messages: [message] }] }] }
}

function ofNumber(field: string, phoneNumberId: string, told: object, ownPhone: string | null = null): Buffer {
  const own = ownPhone === null ? {} : { display_phone_number: ownPhone }
  const value = { messaging_product: 'whatsapp', metadata: { ...own, phone_number_id: phoneNumberId }, ...told }
  return Buffer.from(JSON.stringify({ object, entry: [{ changes: [{ field, value }] }] }))
}

/** `field` says where it stood; around it goes what stood around it, as far as a place needs. */
function ofUnreadable(body: Buffer, field: string, item: JsonText): Buffer {
  if (!field.startsWith('entry')) return body
  if (field === 'entry') return Buffer.from(item)
  if (!field.includes('.')) return Buffer.from(`{"object":"${object}","entry":[${item}]}`)
  if (/^entry\[\d+\]\.changes\[\d+\](\.value|\.value\.metadata)?$/.test(field)) return ofChange(item)
  // What is no object deeper inside can never be read, and is kept for a reader.
  const list = /(\w+)(?:\[\d+\])?$/.exec(field)?.[1] ?? 'messages'
  return ofChange(`{"field":"messages","value":{"${list}":[${item}]}}`)
}

const ofChange = (change: string): Buffer => Buffer.from(`{"object":"${object}","entry":[{"changes":[${change}]}]}`)
