/** What the inbox tells of itself. */
export type ConversationObservation = {
  kind: 'feed.followed'
  level?: 'debug'
  follower: string
  /** Rows of the feed, or swept messages. */
  folded: number
  ms: number
}
