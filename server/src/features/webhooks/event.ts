import { formatId, type Uuid } from '../../base/id.ts'
import type { JsonText } from '../../base/json.ts'

/** Every kind of event that the contract knows. Closed: a webhook can ask for nothing else. */
export const eventKinds = [
  'message.received',
  'message.reaction',
  'message.edited',
  'message.deleted',
  'message.sent',
  'message.delivered',
  'message.read',
  'message.failed',
  'template.status_updated',
  'template.category_updated',
  'template.quality_updated',
  'template.components_updated',
  'channel.updated',
  'contact.marketing_preference_updated',
] as const

export type EventKind = (typeof eventKinds)[number]

/** Kinds whose `data` is a Message, all of it or with more. */
export type MessageEventKind = Extract<EventKind, `message.${string}`>

/** Something that happened, to be told to every webhook of the account that wants its kind. */
export type NewEvent = {
  accountId: Uuid
  livemode: boolean
  type: EventKind
  /** The `data` of the envelope as finished JSON; it reaches the receiver byte for byte. */
  data: JsonText
  /** The message that it tells of; left out: another thing. */
  subject?: Uuid
}

/** The facts of the envelope that are not the caller's. */
export type EventStamp = { id: Uuid; createdAt: Date }

/**
 * The text whose bytes are stored, signed and posted, at every attempt the same. They are written once, by concatenation: `data` is
 * never parsed and printed again, which could reorder its keys and change its large numbers.
 */
export function eventBody(event: NewEvent, stamp: EventStamp): JsonText {
  // rule: delivery 4. The id is made once for the event, so that receivers can discard repeats.
  const id = formatId('evt', stamp.id)
  return (`{"id":"${id}","object":"event","type":"${event.type}","api_version":"v1","created_at":"${stamp.createdAt.toISOString()}",` +
    `"livemode":${event.livemode},"data":${event.data}}`) as JsonText
}
