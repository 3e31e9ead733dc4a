import { present } from '../../base/assert.ts'
import { lowestUuidAt, newUuid, type Uuid } from '../../base/id.ts'
import type { Tx } from '../../platform/database/database.ts'
import { type Contact, findContactsById, idsOf } from '../contacts/public.ts'
import { countInboundAfter, type FeedChange, findMessageFacts, type MessageFact, recordChanges } from '../messages/public.ts'
import type { Conversation } from './conversation.ts'
import { foldMessages, isOfPerson, joinConversations } from './rules.ts'
import { insertConversations, lockConversationsBetween, updateFolded, writeJoined } from './store.ts'

/** Messages of one person with one number. */
type Group = { contact: Contact; of: MessageFact; messages: MessageFact[] }

/** In the second round what was opened meanwhile is found and locked; a third is for one that was joined to another since. */
const roundsMax = 3

export type FoldOptions = {
  now: Date
  /**
   * The messages are read anew, the oldest first: what came long ago, or was folded before, neither opens a conversation nor counts as unread.
   */
  isSweep: boolean
}

/** Folds messages into their conversations, in the caller's transaction. A message that is not there any more is passed over. */
export async function foldIntoConversations(tx: Tx, wanted: readonly { accountId: Uuid; id: Uuid }[], options: FoldOptions): Promise<void> {
  let open = await groupsOf(tx, await findMessageFacts(tx, wanted))
  // A second round only for those that somebody of the team opened in the same moment.
  for (let round = 0; open.length > 0; round += 1) {
    if (round === roundsMax) throw new Error('conversations are neither found nor can they be made')
    open = await foldGroups(tx, open, options)
  }
}

/** Groups by who people are today (rule: people 4). */
async function groupsOf(tx: Tx, messages: readonly MessageFact[]): Promise<Group[]> {
  const people = new Map(messages.map((each) => [each.contactId, { accountId: each.accountId, id: each.contactId }]))
  const asked = [...people.values()]
  const found = new Map<Uuid, Contact>()
  for (const contact of await findContactsById(tx, asked)) found.set(present(asked[contact.ord - 1], 'it was asked for').id, contact)
  const groups = new Map<string, Group>()
  for (const message of messages) {
    const contact = found.get(message.contactId)
    if (contact === undefined) continue
    const place = `${message.channelId} ${contact.id}`
    const group = groups.get(place)
    if (group === undefined) groups.set(place, { contact, of: message, messages: [message] })
    else group.messages.push(message)
  }
  return [...groups.values()]
}

async function foldGroups(tx: Tx, groups: readonly Group[], options: FoldOptions): Promise<Group[]> {
  const known = await conversationsOf(tx, groups)
  const folded = groups.map((group) => ({
    group,
    before: known.get(group) ?? null,
    after: foldGroup(group, known.get(group) ?? null, options),
  }))
  const counted = folded.filter(({ group, before, after }) => after.readTo !== before?.readTo || group.messages.some(isOfPerson))
  const unread = await countInboundAfter(
    tx,
    counted.map(({ group, after }) => ({ ...after, contactIds: idsOf(group.contact), after: after.readTo ?? firstUuid })),
  )
  counted.forEach((each, i) => {
    each.after = { ...each.after, unread: unread[i] ?? 0 }
  })
  const fresh = folded.filter((each) => each.before === null)
  await updateFolded(
    tx,
    folded.filter((each) => each.before !== null).map((each) => each.after),
  )
  const made = await insertConversations(
    tx,
    fresh.map((each) => each.after),
  )
  return fresh.filter((each) => !made.has(each.after.id)).map((each) => each.group)
}

const firstUuid = '00000000-0000-0000-0000-000000000000' as Uuid

/** Locks the conversation of each, and makes one of several: the people of the others turned out to be the same. */
async function conversationsOf(tx: Tx, groups: readonly Group[]): Promise<Map<Group, Conversation>> {
  const found = await lockConversationsBetween(
    tx,
    groups.flatMap(({ contact, of }) =>
      idsOf(contact).map((contactId) => ({ accountId: of.accountId, channelId: of.channelId, contactId })),
    ),
  )
  const byPlace = new Map(found.map((each) => [`${each.channelId} ${each.contactId}`, each]))
  const known = new Map<Group, Conversation>()
  for (const group of groups) {
    const [first, ...others] = idsOf(group.contact).flatMap((id) => byPlace.get(`${group.of.channelId} ${id}`) ?? [])
    if (first === undefined) continue
    const isWhole = others.length === 0 && first.contactId === group.contact.id
    known.set(group, isWhole ? first : await join(tx, group.contact.id, [first, ...others]))
  }
  return known
}

async function join(tx: Tx, contactId: Uuid, joined: readonly [Conversation, ...Conversation[]]): Promise<Conversation> {
  const kept = joinConversations(contactId, joined)
  const gone = joined.filter((each) => each.id !== kept.id).map((each) => each.id)
  await writeJoined(tx, kept, gone)
  const changes = [kept.id, ...gone].map((id): FeedChange => ({ ...kept, id, how: 'conversation' }))
  await recordChanges(tx, kept.lastAt, changes)
  return kept
}

/** In a sweep what is older is over. */
const recentMs = 7 * 86_400_000

function foldGroup({ contact, of, messages }: Group, before: Conversation | null, { now, isSweep }: FoldOptions): Conversation {
  const recentFrom = lowestUuidAt(new Date(now.getTime() - recentMs))
  const start: Conversation = before ?? {
    accountId: of.accountId,
    id: newUuid(now),
    livemode: of.livemode,
    channelId: of.channelId,
    contactId: contact.id,
    lastMessageId: null,
    lastAt: now,
    lastInboundAt: null,
    unread: 0,
    readTo: isSweep ? recentFrom : null,
    state: 'closed',
    snoozedUntil: null,
    assignee: null,
    labels: [],
  }
  const lastBefore = before?.lastMessageId ?? firstUuid
  return foldMessages(start, messages, ({ id, direction }) => !isSweep || (direction === 'inbound' && id > recentFrom && id > lastBefore))
}
