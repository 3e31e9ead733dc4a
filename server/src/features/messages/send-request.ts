import type { Uuid } from '../../base/id.ts'
import type { JsonObject, JsonText } from '../../base/json.ts'
import type { Recipient } from '../contacts/public.ts'
import type { MessageSource, MessageType, Wamid } from './message.ts'

/** A message that a caller names: by our id, or by upstream's; `isSure`: nothing but an id of upstream's looks like this. */
export type NamedMessage = { kind: 'id'; id: Uuid } | { kind: 'wamid'; wamid: Wamid; isSure: boolean }

/** What a send and a reaction say alike. */
export type Addressed = {
  accountId: Uuid
  livemode: boolean
  recipient: Recipient
  channelId: Uuid | null
  idempotency: { key: string; bodyHash: Buffer } | null
}

/** A send as it was asked for, checked in form. Its id, made at arrival, stays the same however often the batch is tried. */
export type Send = Addressed & {
  id: Uuid
  type: MessageType
  kind: string
  text: string | null
  /** The caller's own words that go upstream beside the address. */
  content: JsonText
  file: SendFile | null
  /** `category` once upstream was asked for it: null there means that it could not be told. */
  template: { name: string; language: string; category?: string | null } | null
  replyTo: NamedMessage | null
  clientReference: string | null
  contactName: string | null
  source: MessageSource
  /** The member of the team who writes it; null: the customer's system. */
  author: Uuid | null
  /** The id of the call that asked for it, by which the log lines of its sends are found. Left out: no call did. */
  requestId?: Uuid | null
}

/** The file of a send. */
export type SendFile =
  /** Somewhere on the internet: upstream fetches it. */
  | { kind: 'link'; url: string }
  /** Upstream has it already. */
  | { kind: 'upstream'; id: string }
  /** Ours: `media` is what the message shows of it. */
  | { kind: 'ours'; mediaId: Uuid; media: JsonText }
  /** It looks like ours, and this account has no such file. */
  | { kind: 'missing'; field: string }

/** A reaction as it was asked for, checked in form. */
export type Reaction = Addressed & {
  target: NamedMessage
  emoji: string
  /** All of the caller's own words, the reaction among them. */
  content: JsonObject
}
