import { formatId, type Uuid } from '../../base/id.ts'
import type { JsonText } from '../../base/json.ts'
import { because, type Refusal, refusal } from '../../base/refusal.ts'
import { ok, type Result, refused } from '../../base/result.ts'
import type { Queries } from '../../platform/database/database.ts'
import type { Lookup } from '../../platform/database/steps.ts'
import { type Attempt, type Delivery, type DeliveryFilter, findHistory, listDeliveries } from './history-store.ts'
import { findWebhook } from './store.ts'

type Deps = { database: Lookup }

export type HistoryWanted = DeliveryFilter & { accountId: Uuid; webhookId: Uuid; limit: number }

/** One page of a webhook's deliveries, newest first. A page that follows another is not moved by deliveries that came meanwhile. */
export async function listHistory(
  { database }: Deps,
  wanted: HistoryWanted,
): Promise<Result<{ items: JsonText[]; hasMore: boolean }, Refusal>> {
  if ((await findWebhook(database, wanted.accountId, wanted.webhookId)) === null)
    return refused(refusal('not_found', because('no_webhook', 'There is no webhook with this id.')))
  const { rows, stoppedAt } = await listDeliveries(database, wanted, { ...wanted, limit: wanted.limit + 1 })
  const items = await deliveryRecords(database, rows.slice(0, wanted.limit))
  return ok({ items, hasMore: rows.length > wanted.limit || stoppedAt !== null })
}

/** The records of deliveries of one account, as finished JSON. */
export async function deliveryRecords(queries: Queries, deliveries: readonly Delivery[]): Promise<JsonText[]> {
  const { attempts, bodies } = await findHistory(queries, deliveries)
  return deliveries.map((delivery) => {
    // An attempt that ended since the delivery was read is left to the next look, so that a record never contradicts itself.
    const known = (attempts.get(delivery.id) ?? []).filter((each) => each.number <= delivery.attempts)
    return recordJson(delivery, known, bodies.get(delivery.eventId) ?? null)
  })
}

/** rule: delivery 12. The payload's bytes are put in as they are: parsed and printed again, their large numbers could change. */
function recordJson(delivery: Delivery, attempts: readonly Attempt[], body: Buffer | null): JsonText {
  const record = {
    id: formatId('dlv', delivery.id),
    object: 'webhook_delivery',
    webhook_id: formatId('whk', delivery.webhookId),
    event_id: formatId('evt', delivery.eventId),
    event_type: delivery.eventType,
    status: delivery.status,
    attempts: attempts.map(attemptJson),
    next_attempt_at: delivery.nextAt?.toISOString() ?? null,
    created_at: delivery.createdAt.toISOString(),
  }
  return `${JSON.stringify(record).slice(0, -1)},"payload":${body?.toString('utf8') ?? 'null'}}` as JsonText
}

function attemptJson({ number, manual, startedAt, statusCode, durationMs, error, responseHead }: Attempt) {
  return {
    number,
    manual,
    created_at: startedAt.toISOString(),
    status_code: statusCode,
    duration_ms: durationMs,
    error,
    response_body: statusCode === null ? null : responseHead,
  }
}
