/** What the inbox tells of itself. */
export type ConversationObservation = {
  kind: 'feed.followed'
  follower: string
  /** Rows of the feed, or swept messages. */
  folded: number
  ms: number
}
