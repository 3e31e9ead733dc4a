import type { Uuid } from '../../base/id.ts'

export type ConversationState = 'open' | 'closed'

/** What one person and the team say to each other over one number, as the team works on it. */
export type Conversation = {
  accountId: Uuid
  id: Uuid
  livemode: boolean
  channelId: Uuid
  contactId: Uuid
  /** Null: opened by the team, and nothing was said yet. */
  lastMessageId: Uuid | null
  lastAt: Date
  lastInboundAt: Date | null
  /** How many messages of the person nobody of the team has read, at most 100. */
  unread: number
  /** Up to here everything was read or answered; null: nothing was. */
  readTo: Uuid | null
  state: ConversationState
  snoozedUntil: Date | null
  assignee: Uuid | null
  labels: readonly string[]
}

/** More labels than this hide what is said. */
export const labelsMax = 20

/** Where a page of conversations ends: their order changes with each message, so that the id of one alone is no place. */
export type ListPlace = { lastAt: Date; id: Uuid }
