import type { ToldEvent } from '../webhooks/public.ts'
import type { Message } from './message.ts'
import type { PastAttempt, QueuedNow, WaitingFetch } from './timeline-store.ts'

/** Why a send has not left yet. */
export type WaitingBecause =
  | 'account_suspended'
  | 'channel_not_connected'
  /** Upstream did not take it, or asked to wait. */
  | 'upstream_asked_to_wait'
  /** The turn of its number and person has not come. */
  | 'pace'
  /** It is being posted now. */
  | 'being_sent'
  /** It may have been sent; a notice is waited for. */
  | 'unknown_outcome'

/** A send that is still in the queue. `ahead`: how many of its number are before it, at most 1,000; null: it has left already. */
export type Waiting = QueuedNow & { because: WaitingBecause; ahead: number | null }

/** Everything that is known of one message. */
export type TimelineFacts = {
  message: Message
  /** Null: it is not in the queue, or no more. */
  waiting: Waiting | null
  attempts: readonly PastAttempt[]
  /** Null: no file of it is still to be fetched. */
  fetch: WaitingFetch | null
  events: readonly ToldEvent[]
}
