import type { Clock } from '../../base/clock.ts'
import { formatId, type Uuid } from '../../base/id.ts'
import { limits } from '../../limits.ts'
import type { Queries } from '../../platform/database/database.ts'
import { findContactsById, lastInboundOf } from '../contacts/public.ts'
import { cut, findMessages } from '../messages/public.ts'
import { optedOutAmong } from '../opt-outs/public.ts'
import type { Conversation } from './conversation.ts'
import { memberJson, type Team } from './team.ts'

export type ShowDeps = { database: Queries; clock: Clock; team: Team }

const previewCharsMax = 200

/** Conversations of one account and mode as JSON, in the order given, with their people as they are known today. */
export async function showConversations({ database, clock, team }: ShowDeps, conversations: readonly Conversation[]) {
  const [first] = conversations
  if (first === undefined) return []
  const { accountId, livemode } = first
  const people = new Map(
    (
      await findContactsById(
        database,
        conversations.map((each) => ({ accountId, id: each.contactId })),
      )
    ).map((contact) => [contact.ord, contact]),
  )
  const places = conversations.map((each, i) => ({
    accountId,
    channelId: each.channelId,
    contactId: people.get(i + 1)?.id ?? each.contactId,
  }))
  const assignees = [...new Set(conversations.flatMap((each) => each.assignee ?? []))]
  const [last, inbound, optedOut, names] = await Promise.all([
    findMessages(
      database,
      accountId,
      livemode,
      conversations.flatMap((each) => each.lastMessageId ?? []),
    ),
    lastInboundOf(database, places),
    optedOutAmong(database, places),
    assignees.length === 0 ? new Map<Uuid, string>() : team.namesOf(assignees),
  ])
  const messages = new Map(last.map((message) => [message.id, message]))
  return conversations.map((each, i) => {
    const contact = people.get(i + 1)
    const message = each.lastMessageId === null ? undefined : messages.get(each.lastMessageId)
    return {
      id: formatId('cnv', each.id),
      object: 'conversation' as const,
      channel_id: formatId('ch', each.channelId),
      contact: {
        id: formatId('con', contact?.id ?? each.contactId),
        name: contact?.name ?? null,
        phone: contact?.phone ?? '',
        ...(contact?.userId ? { user_id: contact.userId } : {}),
      },
      last_message:
        message === undefined
          ? null
          : {
              id: formatId('msg', message.id),
              direction: message.direction,
              type: message.type,
              text: message.text === null ? null : cut(message.text, previewCharsMax),
              status: message.status,
              source: message.source,
              created_at: message.createdAt,
              deleted: message.deletedAt !== null,
            },
      unread: each.unread,
      state: each.state,
      snoozed_until: each.snoozedUntil,
      assignee: each.assignee === null ? null : memberJson(each.assignee, names),
      labels: [...each.labels],
      window_expires_at: livemode ? windowEnd(inbound[i] ?? null, clock.now()) : new Date(clock.now().getTime() + limits.serviceWindowMs),
      opted_out: optedOut[i] === true,
      last_at: each.lastAt,
    }
  })
}

/** rule: send 3 */
function windowEnd(lastInboundAt: Date | null, now: Date): Date | null {
  if (lastInboundAt === null) return null
  const end = new Date(lastInboundAt.getTime() + limits.serviceWindowMs)
  return end > now ? end : null
}
