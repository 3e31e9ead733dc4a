import { lowestUuidAt, momentOf, type Uuid } from '../../base/id.ts'
import type { Queries } from '../../platform/database/database.ts'
import { queryBuilder } from '../../platform/database/statement.ts'
import type { EventKind } from './event.ts'
import { type Delivery, type DeliveryTable, deliveryColumns, deliveryOf } from './history-store.ts'

type Tables = {
  event: { account_id: Uuid; id: Uuid; type: EventKind; created_at: Date; subject: Uuid | null }
  delivery: DeliveryTable
}

const build = queryBuilder<Tables>()

export type SubjectEvent = { id: Uuid; type: EventKind; createdAt: Date }

/** The events that tell of this message, oldest first, those that are still kept; served by `event_of_subject`. */
export async function findEventsOf(queries: Queries, accountId: Uuid, subject: Uuid, most: number): Promise<SubjectEvent[]> {
  const rows = await queries.all(
    build
      .selectFrom('event')
      .select(['id', 'type', 'created_at as createdAt'])
      .where('account_id', '=', accountId)
      .where('subject', '=', subject)
      // Nothing is told of a message before it is there: that leaves out the partitions of days before.
      .where('id', '>=', lowestUuidAt(momentOf(subject)))
      .orderBy('id')
      .limit(most),
  )
  return rows
}

/** Ids of one transaction are of one moment: within so many milliseconds, where a full count borrows from the next ones. */
const togetherMs = 50
/** More than the webhooks that an account can have. */
const deliveriesMax = 100

/**
 * The deliveries of an event. No index leads from an event to them; but their ids are made in the same moment, so that they are found among
 * the few of that account and moment by the primary key.
 */
export async function findDeliveriesOf(queries: Queries, accountId: Uuid, event: SubjectEvent): Promise<Delivery[]> {
  const at = momentOf(event.id).getTime()
  const rows = await queries.all(
    build
      .selectFrom('delivery')
      .select(deliveryColumns)
      .where('account_id', '=', accountId)
      .where('id', '>=', lowestUuidAt(new Date(at)))
      .where('id', '<', lowestUuidAt(new Date(at + togetherMs)))
      .where('event_id', '=', event.id)
      .orderBy('id')
      .limit(deliveriesMax),
  )
  return rows.map(deliveryOf)
}
