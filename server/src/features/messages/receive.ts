import { present } from '../../base/assert.ts'
import type { Clock } from '../../base/clock.ts'
import { momentOf, newUuid, type Uuid } from '../../base/id.ts'
import type { JsonText } from '../../base/json.ts'
import type { Tx } from '../../platform/database/database.ts'
import { meetPeople, openWindows, type PersonSeen } from '../contacts/public.ts'
import { followPeople } from '../opt-outs/public.ts'
import { countUsage } from '../usage/public.ts'
import type { DeliveryHint } from '../webhooks/public.ts'
import { tellOf } from './apply-moves.ts'
import type { Message, MessageType, Wamid } from './message.ts'
import { claimWamids, findByWamid, insertInboundMessages } from './store.ts'

/** A message that a person sent, read from a notice. */
export type InboundNotice = {
  accountId: Uuid
  channelId: Uuid
  livemode: boolean
  person: PersonSeen
  wamid: Wamid
  /** By upstream's clock. */
  at: Date
  type: MessageType
  kind: string
  text: string | null
  buttonReplyId: string | null
  /** The wamid of the quoted message. */
  quoted: Wamid | null
  /** The original object, with the contact that came with it. */
  meta: JsonText
}

/**
 * Takes in what people sent, in the caller's transaction and last in it: the person, the window, the message, its event. The
 * same wamid twice, also within the list, is one message and one event (rule: receive 2). Answers which webhooks to wake.
 */
export async function receiveMessages(tx: Tx, clock: Clock, inbound: readonly InboundNotice[]): Promise<readonly DeliveryHint[]> {
  if (inbound.length === 0) return []
  const now = clock.now()
  const people = await meetPeople(
    tx,
    { clock, follow: followPeople },
    inbound.map((each) => ({ ...each.person, at: each.at })),
  )
  const quoted = await findByWamid(
    tx,
    inbound.map((each) => ({ ...each, wamid: each.quoted ?? '' })),
  )
  const messages = inbound.flatMap((each, i) => {
    const contact = people[i]
    return contact ? [{ ...messageOf(each, contact.id, quoted[i] ?? null, now), at: each.at }] : []
  })
  // rule: receive 4. Also a repeated one: the window only ever moves forward.
  await openWindows(tx, now, messages)
  const isNew = await claimWamids(
    tx,
    messages.map((each) => ({ ...each, messageId: each.id, wamid: present(each.wamid, 'an inbound message has one') })),
  )
  const fresh = messages.filter((each) => isNew.has(each.id))
  if (fresh.length === 0) return []
  // In this order, without waiting in between: the events lock the lanes of webhooks, so they come last.
  const [, , hints] = await Promise.all([
    insertInboundMessages(tx, fresh),
    countUsage(
      tx,
      fresh.map((message) => ({ before: null, after: message })),
    ),
    tellOf(
      tx,
      clock,
      fresh.map((message) => ({ type: 'message.received', message })),
    ),
  ])
  return hints
}

function messageOf(each: InboundNotice, contactId: Uuid, replyTo: Uuid | null, now: Date): Message {
  // rule: receive 3. When we took it in, so that `since` misses nothing that came late.
  const id = newUuid(now)
  return {
    accountId: each.accountId,
    id,
    livemode: each.livemode,
    channelId: each.channelId,
    contactId,
    direction: 'inbound',
    type: each.type,
    kind: each.kind,
    status: 'received',
    text: each.text,
    media: null,
    mediaId: null,
    replyTo,
    buttonReplyId: each.buttonReplyId,
    clientReference: null,
    source: 'chat',
    wamid: each.wamid,
    pricing: null,
    error: null,
    outcomeUnknown: false,
    createdAt: momentOf(id),
    sentAt: null,
    deliveredAt: null,
    readAt: null,
    failedAt: null,
    meta: each.meta,
  }
}
