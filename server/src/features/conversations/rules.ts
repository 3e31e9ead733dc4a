import { withoutAccents } from '../../base/accents.ts'
import { momentOf, type Uuid } from '../../base/id.ts'
import { type Conversation, labelsMax } from './conversation.ts'

/** What a message does to its conversation, as far as it matters. */
export type Said = {
  id: Uuid
  direction: 'inbound' | 'outbound'
  source: string
  kind: string
  /** Written in the phone's own app, from the history, or known only by what was told of it. */
  untold: boolean
}

/**
 * The conversation after these messages, but for `unread`. What the person writes opens it and ends a snooze; what the team writes opens it and
 * answers all before; what the customer's system sends leaves it as it is: an API that sends to thousands fills nobody's inbox. Pure, and the same
 * message twice changes nothing but what the team closed meanwhile: `isNews` says which of the person's messages may open it.
 */
export function foldMessages(before: Conversation, said: readonly Said[], isNews: (message: Said) => boolean = () => true): Conversation {
  let after = before
  for (const message of said.toSorted((a, b) => (a.id < b.id ? -1 : 1))) after = fold(after, message, isNews(message))
  return after
}

function fold(conversation: Conversation, message: Said, isNews: boolean): Conversation {
  const isNewest = conversation.lastMessageId === null || conversation.lastMessageId < message.id
  const after = isNewest ? { ...conversation, lastMessageId: message.id, lastAt: momentOf(message.id) } : conversation
  if (isOfPerson(message)) {
    const at = momentOf(message.id)
    const lastInboundAt = after.lastInboundAt === null || after.lastInboundAt < at ? at : after.lastInboundAt
    return { ...after, lastInboundAt, ...(isNews ? { state: 'open', snoozedUntil: null } : {}) }
  }
  if (!isOfTeam(message)) return after
  const readTo = after.readTo === null || after.readTo < message.id ? message.id : after.readTo
  return { ...after, readTo, ...(isNews && !message.untold ? { state: 'open' } : {}) }
}

/** It came from the person, and now: not with a history, and not as something of which only a reaction is known. */
export const isOfPerson = ({ direction, untold }: Pick<Said, 'direction' | 'untold'>): boolean => direction === 'inbound' && !untold

/** Somebody wrote it, in the console or on the phone. */
const isOfTeam = ({ direction, source, kind }: Said): boolean => direction === 'outbound' && source === 'chat' && kind !== 'placeholder'

/**
 * One conversation of those that people had who turned out to be one: nothing unread is hidden, and what is open stays open. The one
 * that is kept is the person's own, or the oldest. The list is not empty.
 */
export function joinConversations(contactId: Uuid, joined: readonly [Conversation, ...Conversation[]]): Conversation {
  const byAge = joined.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const kept = byAge.find((each) => each.contactId === contactId) ?? byAge[0] ?? joined[0]
  const newest = joined.reduce((a, b) => ((a.lastMessageId ?? '') < (b.lastMessageId ?? '') ? b : a))
  const inbound = joined.flatMap((each) => (each.lastInboundAt === null ? [] : [each.lastInboundAt.getTime()]))
  const open = joined.filter((each) => each.state === 'open')
  const snoozes = open.map((each) => each.snoozedUntil)
  return {
    ...kept,
    contactId,
    lastMessageId: newest.lastMessageId,
    lastAt: newest.lastAt,
    lastInboundAt: inbound.length === 0 ? null : new Date(Math.max(...inbound)),
    unread: Math.min(
      joined.reduce((sum, each) => sum + each.unread, 0),
      100,
    ),
    readTo: joined.some((each) => each.readTo === null) ? null : (joined.map((each) => each.readTo ?? ('' as Uuid)).toSorted()[0] ?? null),
    state: open.length > 0 ? 'open' : 'closed',
    snoozedUntil: snoozes.includes(null) || snoozes.length === 0 ? null : (snoozes[0] ?? null),
    assignee: kept.assignee ?? joined.find((each) => each.assignee !== null)?.assignee ?? null,
    labels: [...new Set([...kept.labels, ...joined.flatMap((each) => each.labels)])].slice(0, labelsMax),
  }
}

/** How words are searched: without accents, in lower case, one space between them and one before, whatever language they are in. */
export function searchWords(text: string): string {
  const plain = withoutAccents(text).toLowerCase().replaceAll(/\s+/g, ' ').trim()
  return plain === '' ? '' : ` ${plain}`
}

/** More words than this are passed over: each costs a look at every text that is looked at. */
const searchedWordsMax = 8

/**
 * What of a text is looked for: patterns of `like`, one for each word, all of which must be there in any order; null: too little to look
 * for. The longest come first. Of words of one letter nothing can be said, and two make no trigram: those are looked for where a word begins.
 */
export function searchPatterns(text: string): readonly string[] | null {
  const words = [...new Set(searchWords(text).trim().split(' '))].filter((word) => [...word].length >= 2)
  if (words.length === 0) return null
  return words
    .toSorted((one, other) => other.length - one.length)
    .slice(0, searchedWordsMax)
    .map(patternOf)
}

function patternOf(word: string): string {
  const literal = word.replaceAll(/[\\%_]/g, (each) => `\\${each}`)
  return [...word].length === 2 ? `% ${literal}%` : `%${literal}%`
}
