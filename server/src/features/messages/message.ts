import type { Brand } from '../../base/brand.ts'
import type { Uuid } from '../../base/id.ts'
import type { JsonText } from '../../base/json.ts'

export type MessageStatus = 'queued' | 'sent' | 'delivered' | 'read' | 'failed' | 'received'
export const messageSources = ['api', 'crm', 'ai', 'chat'] as const
export type MessageSource = (typeof messageSources)[number]
export type MessageType = 'text' | 'image' | 'audio' | 'video' | 'document' | 'sticker' | 'location' | 'contact' | 'template' | 'system'

/** The kinds that carry a file. */
export type MediaKind = Extract<MessageType, 'image' | 'audio' | 'video' | 'document' | 'sticker'>

/** Upstream's id of a message, in either direction. Opaque. */
export type Wamid = Brand<string, 'wamid'>

export type Pricing = { category: string | null; billable: boolean | null }

/** A message as it is kept. Its `createdAt` is the moment inside its id. */
export type Message = {
  accountId: Uuid
  id: Uuid
  livemode: boolean
  channelId: Uuid
  contactId: Uuid
  direction: 'inbound' | 'outbound'
  type: MessageType
  /** What the caller or upstream called it, where the contract's type is coarser. */
  kind: string
  status: MessageStatus
  text: string | null
  media: JsonText | null
  /** The file, when it is one of ours that upstream must get before the message can leave. */
  mediaId: Uuid | null
  /** The quoted message, when it is ours. */
  replyTo: Uuid | null
  buttonReplyId: string | null
  clientReference: string | null
  source: MessageSource
  wamid: Wamid | null
  pricing: Pricing | null
  error: { code: number | null; message: string } | null
  outcomeUnknown: boolean
  createdAt: Date
  sentAt: Date | null
  deliveredAt: Date | null
  readAt: Date | null
  failedAt: Date | null
  /**
   * Neither the message nor its statuses are told: it was written in the phone's own app, came with the history of the number, or is
   * known only by what was told of it. A person's original that comes late is told, and ends it.
   */
  untold: boolean
  /** By upstream's clock: the newest edit, and the deletion. */
  editedAt: Date | null
  deletedAt: Date | null
  meta: JsonText | null
}

/** What a message has when it is made, unless whoever makes it says otherwise. */
export const nothingYet = {
  text: null,
  media: null,
  mediaId: null,
  replyTo: null,
  buttonReplyId: null,
  clientReference: null,
  wamid: null,
  pricing: null,
  error: null,
  outcomeUnknown: false,
  sentAt: null,
  deliveredAt: null,
  readAt: null,
  failedAt: null,
  untold: false,
  editedAt: null,
  deletedAt: null,
  meta: null,
} as const satisfies Partial<Message>

/** What a person thinks of a message; an empty emoji: nothing any more. */
export type Reaction = { contactId: Uuid; emoji: string; at: Date }

/** The `kind` of a message whose original has not come: something was told of it. */
export const placeholderKind = 'placeholder'

/**
 * How far a message has come (rule: states 1). A status never goes back to a lower rank; an earlier one that comes late only
 * fills its own timestamp. `failed` lies above `sent`, because a message that was sent can still fail, and below `delivered`, because what
 * reached the phone did not fail.
 */
export const RANK = { queued: 0, sent: 1, failed: 2, delivered: 3, read: 4, received: 5 } as const satisfies Record<MessageStatus, number>
