import type { Uuid } from '../../base/id.ts'
import type { BatchObservation } from '../../platform/database/batcher.ts'
import type { LoopObservation } from '../../platform/lanes/loop.ts'
import type { EventKind } from './event.ts'
import type { DeliveryStatus } from './webhook.ts'

/** What the deliveries have to tell. An address is never in it, nor a body: both may hold what is the customer's alone. */
export type WebhookObservation =
  | LoopObservation
  | BatchObservation
  /**
   * One for each attempt that ended. `outcome` is what the attempt made of the delivery: `pending` goes on with the ladder, `unchanged` is a
   * retry that failed. `attempt` counts the ladder: null for a retry.
   */
  | {
      kind: 'webhook.attempt'
      webhookId: Uuid
      eventType: EventKind
      attempt: number | null
      manual: boolean
      statusCode: number | null
      durationMs: number
      outcome: DeliveryStatus | 'unchanged'
    }
  /** An attempt was made and the database did not take its result; it is kept and written later. */
  | { kind: 'webhook.result_waits'; webhookId: Uuid; tries: number; message: string }
  /** The process stopped before the database took a result: the delivery is posted again. */
  | { kind: 'webhook.result_lost'; webhookId: Uuid }
  /** The database refuses a result for its data, however it is written: the delivery is posted again, by the delays of the ladder. */
  | { kind: 'webhook.result_refused'; webhookId: Uuid; message: string }
  /** An attempt could not be made at all, for example because the webhook's secret cannot be unsealed with the key of this process. */
  | { kind: 'webhook.attempt_not_made'; webhookId: Uuid; message: string }
  /** Deliveries that will never be tried: the webhook was removed, or disabled for too long. */
  | { kind: 'webhook.deliveries_canceled'; webhookId: Uuid; deliveries: number }
