import type { StatusSubject } from './notices.ts'

/**
 * A message of one chat, in either direction. `waId` is null when the person is known by a user id alone; `subject` is what statuses of a message
 * are about, null for one that came in.
 */
export type KnownMessage = { phoneNumberId: string; waId: string | null; kind: string; atMs: number; subject: StatusSubject | null }

/** What the platform knows of the messages that passed through it, by their wamid. */
export type KnownMessages = {
  add(wamid: string, message: KnownMessage): void
  /** Null for a message that was never seen, was deleted, or is older than what is remembered. */
  find(wamid: string): KnownMessage | null
  forget(wamid: string): void
}

/** The newest `max` messages. */
export function createKnownMessages(max: number): KnownMessages {
  const messages = new Map<string, KnownMessage>()
  const add = (wamid: string, message: KnownMessage) => {
    messages.set(wamid, message)
    if (messages.size > max) for (const oldest of messages.keys()) return messages.delete(oldest)
    return undefined
  }
  return { add, find: (wamid) => messages.get(wamid) ?? null, forget: (wamid) => void messages.delete(wamid) }
}

/** A reaction, a read receipt and a quotation reach back so far. */
export const reachBackMs = 30 * 24 * 60 * 60 * 1000
