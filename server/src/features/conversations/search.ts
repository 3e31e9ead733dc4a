import { formatId, type Uuid } from '../../base/id.ts'
import { canonicalPhone, parsePhone } from '../../base/phone.ts'
import { because, invalidField, type Refusal } from '../../base/refusal.ts'
import { ok, type Result, refused } from '../../base/result.ts'
import { channelsOf } from '../channels/public.ts'
import { findContactsById } from '../contacts/public.ts'
import { findMessages } from '../messages/public.ts'
import { searchPatterns, searchWords } from './rules.ts'
import { searchMessages, searchPeople } from './search-store.ts'
import { type ShowDeps, showConversations } from './show.ts'
import { findConversationsBetween } from './store.ts'

const hitsMax = 50
const snippetCharsMax = 160
/** So many characters stand before what was found. */
const snippetLead = 40

type Of = { accountId: Uuid; livemode: boolean }

/** Conversations with people who are called so, or have such a phone, and messages that say so, newest first; 50 of each at most. */
export async function search(deps: ShowDeps, of: Of, asked: string) {
  const patterns = searchPatterns(asked)
  if (patterns === null)
    return refused(invalidField('q', because('search_short', 'This must have two letters or digits at least.'))) satisfies Result<
      never,
      Refusal
    >
  const [people, messages] = await Promise.all([findPeopleCalled(deps, of, asked, patterns), findMessagesSaying(deps, of, asked, patterns)])
  return ok({ conversations: people, messages })
}

async function findPeopleCalled(deps: ShowDeps, of: Of, asked: string, patterns: readonly string[]) {
  const phone = digitsPattern(asked)
  const [byName, byPhone] = await Promise.all([
    searchPeople(deps.database, of, patterns, hitsMax),
    phone === null ? [] : searchPeople(deps.database, of, [phone], hitsMax),
  ])
  const ids = [...new Set([...byPhone, ...byName])].slice(0, hitsMax)
  const channels = (await channelsOf(deps.database, [of.accountId])).get(of.accountId) ?? []
  const places = ids.flatMap((contactId) => channels.map(({ id }) => ({ accountId: of.accountId, channelId: id, contactId })))
  const found = (await findConversationsBetween(deps.database, places)).flatMap((each) => (each === null ? [] : [each]))
  return showConversations(deps, found.toSorted((a, b) => b.lastAt.getTime() - a.lastAt.getTime()).slice(0, hitsMax))
}

/** Part of a phone, however it is written: three digits at least, and no letters. */
function digitsPattern(asked: string): string | null {
  if (/\p{L}/u.test(asked)) return null
  const digits = parsePhone(asked)
  const text = digits === null ? asked.replaceAll(/\D/g, '') : canonicalPhone(digits)
  return text.length < 3 ? null : `%${text}%`
}

async function findMessagesSaying({ database }: ShowDeps, of: Of, asked: string, patterns: readonly string[]) {
  const hits = await searchMessages(database, of, patterns, hitsMax)
  const messages = new Map(
    (
      await findMessages(
        database,
        of.accountId,
        of.livemode,
        hits.map((each) => each.messageId),
      )
    ).map((each) => [each.id, each]),
  )
  const people = new Map(
    (
      await findContactsById(
        database,
        hits.map((each) => ({ accountId: of.accountId, id: each.contactId })),
      )
    ).map((contact) => [contact.ord, contact]),
  )
  const conversations = await findConversationsBetween(
    database,
    hits.map((each, i) => ({ accountId: of.accountId, channelId: each.channelId, contactId: people.get(i + 1)?.id ?? each.contactId })),
  )
  return hits.flatMap((hit, i) => {
    const message = messages.get(hit.messageId)
    const conversation = conversations[i]
    const contact = people.get(i + 1)
    // Changed, or not folded yet: then it is not shown this time.
    if (message === undefined || message.text === null || !conversation) return []
    return [
      {
        id: formatId('msg', message.id),
        conversation_id: formatId('cnv', conversation.id),
        channel_id: formatId('ch', message.channelId),
        contact: { name: contact?.name ?? null, phone: contact?.phone ?? '' },
        direction: message.direction,
        snippet: snippetOf(message.text, asked),
        created_at: message.createdAt,
      },
    ]
  })
}

/** The part of a text around what was asked for. Accents may shift it by a few characters, which nobody sees. */
function snippetOf(text: string, asked: string): string {
  const words = searchWords(text)
  const found = [asked, ...asked.split(/\s+/)].map((part) => words.indexOf(searchWords(part).trim())).find((place) => place >= 0) ?? 0
  const at = Math.max(0, found - snippetLead)
  const part = [...text].slice(at, at + snippetCharsMax).join('')
  return `${at > 0 ? '…' : ''}${part}${at + snippetCharsMax < text.length ? '…' : ''}`
}
