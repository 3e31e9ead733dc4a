import { isObject } from './json-value.ts'
import type { SendRecord } from './record.ts'

/** A message that was marked as read, and whether the person was shown that somebody is typing. */
export type ReadRecord = { sequence: number; at: string; phoneNumberId: string; messageId: string; typing: boolean }

/** A reaction that was accepted; an empty emoji takes one back. */
export type ReactionRecord = {
  sequence: number
  at: string
  phoneNumberId: string
  to: string | null
  wamid: string | null
  messageId: string
  emoji: string
}

/** The read receipts among these attempts that were taken. */
export function readsAmong(sends: readonly SendRecord[]): ReadRecord[] {
  return sends
    .filter((send) => send.outcome === 'marked-read')
    .map(({ sequence, at, phoneNumberId, body }) => {
      const receipt = isObject(body) ? body : {}
      return { sequence, at, phoneNumberId, messageId: String(receipt.message_id), typing: receipt.typing_indicator !== undefined }
    })
}

/** The reactions among these attempts that were accepted. */
export function reactionsAmong(sends: readonly SendRecord[]): ReactionRecord[] {
  return sends
    .filter((send) => send.outcome === 'accepted' && send.kind === 'reaction')
    .map(({ sequence, at, phoneNumberId, to, wamid, body }) => {
      const reaction = isObject(body) && isObject(body.reaction) ? body.reaction : {}
      return { sequence, at, phoneNumberId, to, wamid, messageId: String(reaction.message_id), emoji: String(reaction.emoji) }
    })
}
