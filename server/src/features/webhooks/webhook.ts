import type { Uuid } from '../../base/id.ts'
import type { EventKind } from './event.ts'

/** What a webhook asks for: the kinds it names, or `*` for all, those of the future included. */
export type WantedEvent = EventKind | '*'

/** An address of a customer that is told of events. */
export type Webhook = {
  accountId: Uuid
  id: Uuid
  url: string
  events: readonly WantedEvent[]
  enabled: boolean
  description: string | null
  createdAt: Date
}

/** `pending` is the only state that moves; `canceled` is what never will be tried again without having failed. */
export type DeliveryStatus = 'pending' | 'succeeded' | 'failed' | 'canceled'

/** What an attempt makes of a delivery that is pending. */
export type DeliveryMove = { status: 'pending'; nextAt: Date } | { status: 'succeeded' | 'failed'; nextAt: null }

/** Says that a webhook has something due, or a retry waiting: a hint for its lane, which may be lost. */
export type DeliveryHint = { accountId: Uuid; webhookId: Uuid; shard: number; hasRetries?: boolean }

/** The minute in which a webhook's retries are counted; it begins with its first retry. */
export type RetryWindow = { startedAt: Date | null; retries: number }
