import { formatId, newUuid, type Uuid } from '../../base/id.ts'
import type { JsonText } from '../../base/json.ts'

/** A number of the range that is kept free for made-up people, so that nobody is written to who answers a sample. */
const person = { phone: '12025550123', name: 'Test Person' }
const text = 'This is a test event: nobody has sent this message.'

/**
 * The `data` of a made-up `message.received`: a Message with everything that a received text has, `meta` included. Without a number of
 * the account it names one that does not exist.
 */
export function sampleMessage(now: Date, channelId: Uuid | null): JsonText {
  const id = newUuid(now)
  const wamid = `wamid.TEST${id.replaceAll('-', '').toUpperCase()}`
  const seconds = String(Math.floor(now.getTime() / 1_000))
  return JSON.stringify({
    id: formatId('msg', id),
    object: 'message',
    direction: 'inbound',
    channel_id: formatId('ch', channelId ?? newUuid(now)),
    contact: person,
    type: 'text',
    status: 'received',
    text,
    media: null,
    reply_to: null,
    button_reply_id: null,
    client_reference: null,
    source: 'chat',
    wamid,
    pricing: null,
    error: null,
    created_at: now.toISOString(),
    sent_at: null,
    delivered_at: null,
    read_at: null,
    meta: {
      from: person.phone,
      id: wamid,
      timestamp: seconds,
      type: 'text',
      text: { body: text },
      contact: { profile: { name: person.name }, wa_id: person.phone },
    },
  }) as JsonText
}
