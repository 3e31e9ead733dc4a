import type { Clock } from '../../base/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import { type Loop, type LoopObservation, startLoop } from '../../platform/lanes/loop.ts'
import { foldIntoConversations } from './fold.ts'
import { type Following, followOnce } from './follow.ts'
import { indexWords } from './index-words.ts'
import type { ConversationObservation } from './observation.ts'

export type InboxDeps = {
  database: Database
  clock: Clock
  observe: (observation: ConversationObservation | LoopObservation) => void
  /** Conversations have changed: whoever tells of them may look now. */
  wakeLive: () => void
}

export type Inbox = { conversations: Loop; search: Loop; stop(): Promise<void> }

/** Statuses change nothing of a conversation, so that most of what happens costs nothing here. */
export const conversationFollowing: Following = {
  name: 'conversations',
  messagesMax: 2_000,
  wanted: (row) => row.newIds,
  fold: foldIntoConversations,
}

export const searchFollowing: Following = {
  name: 'search',
  messagesMax: 500,
  wanted: (row) => [...row.newIds, ...row.changedIds],
  fold: (tx, messages) => indexWords(tx, messages),
}

const idleMs = 200
/** Under load a step finds more to do, and costs hardly more for it. */
const spacingMs = 100
const searchIdleMs = 1_000

/**
 * Makes conversations and the search of what happens to messages. Each rests for longer than it worked, the search for much longer (the trigrams of a message cost 0.1 ms, ten times as much as all else of it): sends and
 * notices come first, and who searches can wait for a moment.
 */
export function startInbox(deps: InboxDeps): Inbox {
  const conversations = startFollowing(deps, conversationFollowing, { idleMs, restFactor: 1, folded: deps.wakeLive })
  const search = startFollowing(deps, searchFollowing, { idleMs: searchIdleMs, restFactor: 7, folded: () => {} })
  return {
    conversations,
    search,
    stop: async () => void (await Promise.all([conversations.stop(), search.stop()])),
  }
}

type Pace = { idleMs: number; restFactor: number; folded: () => void }

function startFollowing({ database, clock, observe }: InboxDeps, following: Following, pace: Pace): Loop {
  const tick = async (): Promise<number> => {
    const beganMs = clock.monotonicMs()
    const { folded, more } = await followOnce({ database, clock }, following)
    const ms = clock.monotonicMs() - beganMs
    if (folded > 0) {
      observe({ kind: 'feed.followed', follower: following.name, folded, ms: Math.round(ms) })
      pace.folded()
    }
    // No longer than when there is nothing: a step that took long may have waited for a connection, and not worked.
    return more ? Math.min(ms * pace.restFactor, pace.idleMs) : pace.idleMs
  }
  return startLoop({ name: `feed_${following.name}`, clock, observe, spacingMs, tick })
}
