import { isObject, type Json, type JsonObject, type JsonText } from '../../base/json.ts'
import { parsePhone } from '../../base/phone.ts'
import type { PersonSeen } from '../contacts/public.ts'
import type { InboundNotice, Wamid } from '../messages/public.ts'
import { momentOfSeconds } from './read-status.ts'

export type ReadMessage =
  | {
      kind: 'message'
      message: Omit<InboundNotice, 'accountId' | 'channelId' | 'livemode' | 'person'>
      person: Omit<PersonSeen, 'accountId' | 'livemode'>
    }
  | { kind: 'passed_over' }
  | { kind: 'unreadable'; reason: string }

/** Reads one item of `messages[]` with the contact that came with it. Pure. */
export function readMessage(item: JsonObject, contact: JsonObject | null): ReadMessage {
  // A group is not a conversation with one person; such notices are kept raw only.
  if (typeof item.group_id === 'string') return { kind: 'passed_over' }
  if (item.type !== 'text') return { kind: 'passed_over' }
  const person = personOf(item, contact)
  if (person.waId === null && person.userId === null) return { kind: 'unreadable', reason: 'it names nobody as its sender' }
  const at = momentOfSeconds(item.timestamp)
  if (typeof item.id !== 'string' || item.id === '') return { kind: 'unreadable', reason: 'it has no id' }
  if (at === null) return { kind: 'unreadable', reason: 'its timestamp is not in seconds' }
  const body = isObject(item.text) ? item.text.body : undefined
  if (typeof body !== 'string') return { kind: 'unreadable', reason: 'it is a text without a body' }
  const quoted = isObject(item.context) ? item.context.id : undefined
  return {
    kind: 'message',
    person,
    message: {
      wamid: item.id as Wamid,
      at,
      type: 'text',
      kind: 'text',
      text: body,
      buttonReplyId: null,
      quoted: typeof quoted === 'string' ? (quoted as Wamid) : null,
      meta: metaOf(item, contact),
    },
  }
}

/** The original object with its contact: only what is this account's (rule: receive 5). */
function metaOf(item: JsonObject, contact: JsonObject | null): JsonText {
  return JSON.stringify(contact === null ? item : { ...item, contact }) as JsonText
}

function personOf(item: JsonObject, contact: JsonObject | null): Omit<PersonSeen, 'accountId' | 'livemode'> {
  const phone = textOf(item.from) ?? textOf(contact?.wa_id)
  const profile = isObject(contact?.profile) ? contact.profile : null
  return {
    waId: phone === null ? null : parsePhone(phone),
    userId: textOf(item.from_user_id) ?? textOf(contact?.user_id),
    parentUserId: textOf(item.from_parent_user_id) ?? textOf(contact?.parent_user_id),
    name: textOf(profile?.name),
  }
}

const textOf = (value: Json | undefined): string | null => (typeof value === 'string' && value !== '' ? value : null)
