import type { Clock } from '../../base/clock.ts'
import type { Uuid } from '../../base/id.ts'
import { because, invalidField, type Refusal } from '../../base/refusal.ts'
import { ok, type Result, refused } from '../../base/result.ts'
import type { Database } from '../../platform/database/database.ts'
import { recordChanges } from '../messages/public.ts'
import type { Conversation, ConversationState } from './conversation.ts'
import { type ConversationKey, lockConversation, updateConversation } from './store.ts'
import type { Team } from './team.ts'
import { noConversation } from './thread.ts'

type Deps = { database: Database; clock: Clock; team: Team }

/** What is left out stays as it is. */
export type ConversationChanges = {
  state?: ConversationState
  assignee?: Uuid | null
  snoozedUntil?: Date | null
  labels?: readonly string[]
}

/** Changes what the team decides of a conversation. A snooze opens it, closing it ends a snooze; both at once are refused. */
export async function changeConversation(
  { database, clock, team }: Deps,
  key: ConversationKey,
  changes: ConversationChanges,
): Promise<Result<Conversation, Refusal>> {
  const now = clock.now()
  const { assignee, snoozedUntil, state } = changes
  if (snoozedUntil && state === 'closed')
    return refused(invalidField('snoozed_until', because('closed_not_snoozed', 'A conversation that is closed cannot be snoozed.')))
  if (snoozedUntil && snoozedUntil <= now)
    return refused(invalidField('snoozed_until', because('time_ahead', 'This must be a time ahead.')))
  return database.transaction(async (tx) => {
    if (assignee && !(await team.holdWorker(tx, key.accountId, assignee))) return refused(noWorker)
    const before = await lockConversation(tx, key)
    if (before === null) return refused(noConversation)
    const after = changedBy(before, changes)
    await updateConversation(tx, after)
    await recordChanges(tx, now, [{ ...after, how: 'conversation' }])
    return ok(after)
  })
}

const noWorker = invalidField('assignee', because('no_worker', 'This must be a member of the account whose role may answer.'))

function changedBy(before: Conversation, { state, assignee, snoozedUntil, labels }: ConversationChanges): Conversation {
  const after = {
    ...before,
    ...(state === undefined ? {} : { state }),
    ...(assignee === undefined ? {} : { assignee }),
    ...(labels === undefined ? {} : { labels: [...new Set(labels)] }),
    ...(snoozedUntil === undefined ? {} : { snoozedUntil, ...(snoozedUntil === null ? {} : { state: 'open' as const }) }),
  }
  return after.state === 'closed' ? { ...after, snoozedUntil: null } : after
}
