import { present } from '../../base/assert.ts'
import type { Clock } from '../../base/clock.ts'
import { newUuid, type Uuid } from '../../base/id.ts'
import { type Refusal, refusal } from '../../base/refusal.ts'
import { ok, type Result, refused } from '../../base/result.ts'
import type { Database } from '../../platform/database/database.ts'
import { findChannels } from '../channels/public.ts'
import { createPeople, findPeople, type Recipient } from '../contacts/public.ts'
import { recordChanges } from '../messages/public.ts'
import type { Conversation } from './conversation.ts'
import { findConversationsBetween, insertConversations } from './store.ts'

type Deps = { database: Database; clock: Clock }

export type OpenWanted = { accountId: Uuid; livemode: boolean; channelId: Uuid; recipient: Recipient }

/** The conversation with a person over a number: the one that there is, or a new open one. `made`: it was not there before. */
export async function openConversation(
  { database, clock }: Deps,
  { accountId, livemode, channelId, recipient }: OpenWanted,
): Promise<Result<{ conversation: Conversation; made: boolean }, Refusal>> {
  if (!(await findChannels(database, [{ accountId, channelId }])).has(channelId))
    return refused(refusal('not_found', 'There is no channel with this id.'))
  const now = clock.now()
  return database.transaction(async (tx) => {
    const [known] = await findPeople(tx, [{ accountId, livemode, recipient }])
    const [made] = known ? [known] : await createPeople(tx, clock, [{ accountId, livemode, recipient, name: null }])
    const contact = present(made, 'the person is known or was made')
    const place = { accountId, channelId, contactId: contact.id }
    const [there] = await findConversationsBetween(tx, [place])
    if (there) return ok({ conversation: there, made: false })
    const fresh: Conversation = { ...place, ...nothingSaid, livemode, id: newUuid(now), lastAt: now }
    const isOurs = (await insertConversations(tx, [fresh])).size === 1
    // The follower was faster, or another of the team.
    const [conversation] = await findConversationsBetween(tx, [place])
    if (isOurs) await recordChanges(tx, now, [{ ...fresh, how: 'conversation' }])
    return ok({ conversation: present(conversation, 'whoever inserted it, it is there'), made: isOurs })
  })
}

const nothingSaid = {
  lastMessageId: null,
  lastInboundAt: null,
  unread: 0,
  readTo: null,
  state: 'open',
  snoozedUntil: null,
  assignee: null,
  labels: [],
} as const
