import type { RefusalCode } from '../../base/refusal.ts'
import { limits } from '../../limits.ts'

/** Something that a send names, and the field that names it. `words`: text that is of no form of ours, and of nothing that is there. */
export type Missing = { what: 'message' | 'person' | 'channel' | 'file' | 'words'; field: string }

/** What must be known of a send to say whether it may leave. */
export type SendFacts = {
  accountSuspended: boolean
  /** What the send names and this account does not have. */
  missing: Missing | null
  /** How many numbers the account has, disconnected ones included. */
  channels: number
  channelNamed: boolean
  channelConnected: boolean
  /** When the person last wrote to this channel; null for never. */
  lastInboundAt: Date | null
  /** The person wants no marketing messages. Looked up for templates only. */
  optedOut: boolean
  /** The category of the template to a person who has opted out; null: it is not known. */
  templateCategory: string | null
  /** Test keys: the window is always open, but for the number that asks for a closed one. */
  windowAlways: 'open' | 'closed' | null
}

/** Says why a send may not leave, or null. Pure: no clock, no database, no network. The order is that of rule: send 13. */
export function refusalFor(isTemplate: boolean, facts: SendFacts, now: Date): RefusalCode | null {
  // rule: send 13, send 14. Its form is wrong, as far as we can know.
  if (facts.missing?.what === 'words') return 'invalid_request'
  // rule: send 7. Before all else: while nothing may be sent, no other reason matters.
  if (facts.accountSuspended) return 'account_suspended'
  if (facts.missing !== null) return 'not_found'
  // rule: send 6. A disconnected number counts: which one is meant is still not known.
  if (facts.channels > 1 && !facts.channelNamed) return 'channel_ambiguous'
  // rule: send 5. No number at all is the same: nothing to send from.
  if (!facts.channelConnected) return 'channel_not_connected'
  // rule: send 3.
  if (!isTemplate && !windowOpen(facts, now)) return 'outside_customer_service_window'
  // rule: send 9. What cannot be found out might be marketing; utility and authentication templates still leave.
  if (isTemplate && facts.optedOut && (facts.templateCategory ?? 'MARKETING') === 'MARKETING') return 'recipient_opted_out'
  return null
}

function windowOpen({ lastInboundAt, windowAlways }: SendFacts, now: Date): boolean {
  if (windowAlways !== null) return windowAlways === 'open'
  return lastInboundAt !== null && now.getTime() - lastInboundAt.getTime() < limits.serviceWindowMs
}
