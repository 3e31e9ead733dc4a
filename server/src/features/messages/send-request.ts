import type { Uuid } from '../../base/id.ts'
import type { JsonText } from '../../base/json.ts'
import type { Recipient } from '../contacts/public.ts'
import type { MessageSource, MessageType, Wamid } from './message.ts'

/** A send as it was asked for, checked in form. Its id, made at arrival, stays the same however often the batch is tried. */
export type Send = {
  id: Uuid
  accountId: Uuid
  livemode: boolean
  recipient: Recipient
  channelId: Uuid | null
  type: MessageType
  kind: string
  text: string | null
  /** The caller's own words that go upstream beside the address. */
  content: JsonText
  replyTo: { kind: 'id'; id: Uuid } | { kind: 'wamid'; wamid: Wamid } | null
  clientReference: string | null
  contactName: string | null
  source: MessageSource
  idempotency: { key: string; bodyHash: Buffer } | null
}
