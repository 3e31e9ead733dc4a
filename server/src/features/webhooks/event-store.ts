import type { Uuid } from '../../base/id.ts'
import type { JsonText } from '../../base/json.ts'
import type { Tx } from '../../platform/database/database.ts'
import { jsonTexts, statement, textsOf } from '../../platform/database/statement.ts'
import type { EventKind } from './event.ts'
import type { DeliveryHint, WantedEvent } from './webhook.ts'

export type Listener = { accountId: Uuid; webhookId: Uuid; events: readonly WantedEvent[] }

const findListenersOf = statement(
  'find_listeners',
  'select account_id as "accountId", id as "webhookId", events from webhook where account_id = any($1::uuid[]) and enabled',
)

/** The enabled webhooks of these accounts, ten an account at most. Takes no lock: see `bumpLanes` for a webhook that is removed meanwhile. */
export async function findListeners(tx: Tx, accountIds: readonly Uuid[]): Promise<Listener[]> {
  return tx.run<Listener>(findListenersOf, [accountIds])
}

export type EventRow = { accountId: Uuid; id: Uuid; type: EventKind; livemode: boolean; body: JsonText; subject: Uuid | null }
export type DeliveryRow = { accountId: Uuid; id: Uuid; webhookId: Uuid; eventId: Uuid; type: EventKind }

const insertOwed = statement(
  'insert_events_and_deliveries',
  // `subject` with its index costs 1 to 3 µs an event (25 µs in batches of 100, 60 in batches of 10, with a delivery each) and 66 bytes.
  `with recorded as (
    insert into event (account_id, id, type, livemode, body, created_at, subject)
    select account_id, id, type, livemode, convert_to(body, 'UTF8'), $6, subject
    from unnest($1::uuid[], $2::uuid[], $3::text[], $4::boolean[], ${textsOf('$5')}, $12::uuid[])
      as item (account_id, id, type, livemode, body, subject)
  )
  insert into delivery (account_id, id, webhook_id, event_id, event_type, next_at, created_at)
  select account_id, id, webhook_id, event_id, event_type, $6, $6
  from unnest($7::uuid[], $8::uuid[], $9::uuid[], $10::uuid[], $11::text[]) as item (account_id, id, webhook_id, event_id, event_type)`,
)

/** Writes events and the deliveries that they cause, due at once. */
export async function insertEvents(tx: Tx, events: readonly EventRow[], deliveries: readonly DeliveryRow[], now: Date): Promise<void> {
  await tx.run(insertOwed, [
    events.map((each) => each.accountId),
    events.map((each) => each.id),
    events.map((each) => each.type),
    events.map((each) => each.livemode),
    jsonTexts(events.map((each) => each.body)),
    now,
    deliveries.map((each) => each.accountId),
    deliveries.map((each) => each.id),
    deliveries.map((each) => each.webhookId),
    deliveries.map((each) => each.eventId),
    deliveries.map((each) => each.type),
    events.map((each) => each.subject),
  ])
}

const bump = statement(
  'bump_webhook_lanes',
  `insert into webhook_lane (account_id, webhook_id, shard, earliest_due)
  select account_id, webhook_id, shard, $4
  from unnest($1::uuid[], $2::uuid[], $3::smallint[]) as lane (account_id, webhook_id, shard)
  order by account_id, webhook_id
  on conflict (account_id, webhook_id) do update set earliest_due = excluded.earliest_due
  where webhook_lane.earliest_due > excluded.earliest_due`,
)

/**
 * Makes lanes due, and holds their rows until commit. The last statement of a transaction that writes deliveries, so that the rows
 * that all writers of a webhook share are locked as briefly as can be; in the order of their keys, so that two never deadlock.
 *
 * No committed delivery is ever left in a lane that is not due. The owner raises `earliest_due` in two steps: it locks the row,
 * and *then*, in a statement of its own with a snapshot of its own, reads the earliest pending delivery. Take any other
 * transaction that writes a delivery:
 * - It locked the row first: the owner waits for its commit, and then its snapshot sees the delivery.
 * - The owner locked the row first: this statement waits, and then lowers what the owner wrote.
 * So the lock is taken even where the lane is due already: `do update … where` locks every row that it meets, and the condition only
 * spares a busy lane a new version of its row for every event.
 *
 * A webhook that was removed since `findListeners` may have no row any more: it gets one again, and the owner, who finds
 * no webhook to it, cancels what is pending.
 */
export async function bumpLanes(tx: Tx, lanes: readonly DeliveryHint[], due: Date): Promise<void> {
  await tx.run(bump, [lanes.map((each) => each.accountId), lanes.map((each) => each.webhookId), lanes.map((each) => each.shard), due])
}
