import type { Uuid } from '../../base/id.ts'
import type { Queries } from '../../platform/database/database.ts'
import { type Attempt, type Delivery, findHistory } from './history-store.ts'
import { listWebhooks } from './store.ts'
import { findDeliveriesOf, findEventsOf, type SubjectEvent } from './subject-store.ts'

/** A delivery as the timeline of a message shows it. */
type ToldDelivery = Pick<Delivery, 'id' | 'webhookId' | 'status' | 'nextAt'> & {
  /** Null: the webhook was removed. */
  url: string | null
  /** Those that have ended, in their order. */
  attempts: readonly Omit<Attempt, 'deliveryId' | 'responseHead'>[]
}

/** An event that told of a message, with what became of it. */
export type ToldEvent = SubjectEvent & { deliveries: readonly ToldDelivery[] }

/** A message has five or so; one with more has many reactions. */
const eventsMax = 50

/** What was told of a message, oldest first, at most 50 events. Empty for a message from before events were linked, or whose events are not kept any more. */
export async function eventsOfSubject(queries: Queries, accountId: Uuid, subject: Uuid): Promise<ToldEvent[]> {
  const events = await findEventsOf(queries, accountId, subject, eventsMax)
  const deliveries = new Map<Uuid, Delivery[]>()
  // One after another: a page of the console must not take all connections.
  for (const event of events) deliveries.set(event.id, await findDeliveriesOf(queries, accountId, event))
  const { attempts } = await findHistory(queries, [...deliveries.values()].flat())
  const urls = new Map((await listWebhooks(queries, accountId)).map(({ id, url }) => [id, url]))
  const told = ({ id, webhookId, status, nextAt }: Delivery): ToldDelivery => ({
    ...{ id, webhookId, status, nextAt },
    url: urls.get(webhookId) ?? null,
    attempts: attempts.get(id) ?? [],
  })
  return events.map((event) => ({ ...event, deliveries: (deliveries.get(event.id) ?? []).map(told) }))
}
