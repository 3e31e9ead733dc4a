import { unreachable } from '../../base/assert.ts'
import type { Message } from './message.ts'
import { metaWithoutWords, metaWithText } from './meta.ts'

/** What was done to the words of a message, by upstream's clock. */
export type Change = { kind: 'edit'; at: Date; text: string | null } | { kind: 'deletion'; at: Date }

/**
 * The message after it was edited or deleted, or null where that is old: each says what it knows by its moment, so that the end does not
 * depend on the order in which notices come, and nothing brings deleted words back (rule: receive 11). Pure.
 */
export function changeMessage(message: Message, change: Change): Message | null {
  if (message.deletedAt !== null) return null
  switch (change.kind) {
    case 'edit':
      // Upstream counts in seconds: of two in the same one, the later to come is taken for the later.
      if (message.editedAt !== null && change.at < message.editedAt) return null
      return { ...message, text: change.text, editedAt: change.at, meta: metaWithText(message.meta, message.kind, change.text) }
    case 'deletion':
      return { ...message, text: null, media: null, mediaId: null, deletedAt: change.at, meta: metaWithoutWords(message.meta) }
    default:
      return unreachable(change)
  }
}

/** What an original tells that comes after what was told of it: its own words only where none are newer. */
export function asKnownBy(original: Message, known: Pick<Message, 'text' | 'editedAt' | 'deletedAt'>): Message {
  if (known.deletedAt !== null) return changeMessage(original, { kind: 'deletion', at: known.deletedAt }) ?? original
  return known.editedAt === null ? original : (changeMessage(original, { kind: 'edit', at: known.editedAt, text: known.text }) ?? original)
}
