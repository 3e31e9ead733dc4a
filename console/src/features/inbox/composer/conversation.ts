/** What the composer needs to know of a conversation. */
export type ComposedConversation = {
  id: string
  channel_id: string
  contact: { phone: string; user_id?: string; name: string | null }
  /** Null: the person has never written to this number. */
  window_expires_at: string | null
}

/** The message that is to be quoted. */
export type QuotedMessage = { id: string; direction: 'inbound' | 'outbound'; type: string; text: string | null }

/** Whom a send goes to, and from which number. */
export function addresseeOf({ contact, channel_id }: ComposedConversation): { to: string; channel_id: string } {
  return { to: contact.phone === '' ? (contact.user_id ?? '') : contact.phone, channel_id }
}
