import type { Clock } from '../../base/clock.ts'
import { formatId } from '../../base/id.ts'
import type { Database } from '../../platform/database/database.ts'
import { faultWords } from '../../platform/database/failure.ts'
import { type Loop, type LoopObservation, startLoop } from '../../platform/lanes/loop.ts'
import type { Vitals } from '../../platform/observe/vitals.ts'
import { foldIntoConversations } from './fold.ts'
import type { SetAside } from './fold-apart.ts'
import { createFollower, type Following } from './follow.ts'
import type { FollowerName } from './follower-store.ts'
import { indexWords } from './index-words.ts'
import type { ConversationObservation } from './observation.ts'

export type InboxDeps = {
  database: Database
  clock: Clock
  observe: (observation: ConversationObservation | LoopObservation) => void
  /** Conversations have changed: whoever tells of them may look now. */
  wakeLive: () => void
  /** Whether somebody has the inbox open, as far as this process knows. */
  isWatched: () => boolean
  vitals?: Vitals | undefined
}

export type Inbox = {
  conversations: Loop
  search: Loop
  /** Messages come or go. A hint: without it, they are found within some seconds. */
  wake(): void
  stop(): Promise<void>
}

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
/** After this long without anything, and without anybody who watches, it is looked for seldom. */
const quietAfterMs = 5_000
const quietMs = 4_000
/** Under load a step finds more to do, and costs hardly more for it. */
const spacingMs = 100
const searchIdleMs = 1_000
const searchQuietMs = 10_000

/**
 * Makes conversations and the search of what happens to messages. Each rests for longer than it worked, the search for much longer (the trigrams of a message cost 0.1 ms, ten times as much as all else of it): sends and
 * notices come first, and who searches can wait for a moment.
 */
export function startInbox(deps: InboxDeps): Inbox {
  const conversations = startFollowing(deps, conversationFollowing, { idleMs, quietMs, restFactor: 1, folded: deps.wakeLive })
  const search = startFollowing(deps, searchFollowing, { idleMs: searchIdleMs, quietMs: searchQuietMs, restFactor: 7, folded: () => {} })
  return {
    conversations,
    search,
    wake() {
      conversations.wake()
      search.wake()
    },
    stop: async () => void (await Promise.all([conversations.stop(), search.stop()])),
  }
}

type Pace = { idleMs: number; quietMs: number; restFactor: number; folded: () => void }

function startFollowing({ database, clock, observe, vitals, isWatched }: InboxDeps, following: Following, pace: Pace): Loop {
  let activeMs = clock.monotonicMs()
  const isQuiet = () => clock.monotonicMs() - activeMs > quietAfterMs && !isWatched()
  const follower = createFollower({ database, clock }, following)
  const tick = async (): Promise<number> => {
    const beganMs = clock.monotonicMs()
    const { folded, more, aside } = await follower.step()
    const ms = clock.monotonicMs() - beganMs
    for (const each of aside) observe(observationOf(following.name, each))
    if (folded > 0) {
      activeMs = clock.monotonicMs()
      observe({ kind: 'feed.followed', follower: following.name, folded, ms: Math.round(ms) })
      pace.folded()
    }
    // No longer than when there is nothing: a step that took long may have waited for a connection, and not worked.
    if (more) return Math.min(ms * pace.restFactor, pace.idleMs)
    return isQuiet() ? pace.quietMs : pace.idleMs
  }
  const loop = startLoop({ name: `feed_${following.name}`, clock, observe, vitals, spacingMs, tick })
  return {
    ...loop,
    wake() {
      // While it is active it looks often enough by itself, and keeps its rests.
      const wasQuiet = isQuiet()
      activeMs = clock.monotonicMs()
      if (wasQuiet) loop.wake()
    },
  }
}

const observationOf = (follower: FollowerName, { accountId, id, error }: SetAside): ConversationObservation => ({
  kind: 'feed.set_aside',
  follower,
  accountId: formatId('acc', accountId),
  messageId: formatId('msg', id),
  message: faultWords(error),
})
