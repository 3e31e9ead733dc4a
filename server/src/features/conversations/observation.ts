/** What the inbox tells of itself. */
export type ConversationObservation =
  | {
      kind: 'feed.followed'
      follower: string
      /** Rows of the feed, or swept messages. */
      folded: number
      ms: number
    }
  /** `message`: what the database says against this message's data, without quoting them. */
  | { kind: 'feed.set_aside'; follower: string; accountId: string; messageId: string; message: string }
