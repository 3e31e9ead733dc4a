import type { Uuid } from '../../src/base/id.ts'
import { formatId, momentOf } from '../../src/base/id.ts'
import type { Database } from '../../src/platform/database/database.ts'
import { sql } from '../support/stage.ts'
import { findUsageDifferences } from '../support/usage-differences.ts'
import type { AttemptRow, DeliveryRow, EventRow, MessageRow, ReactionRow, Rows } from './evidence.ts'
import { labelOf } from './labels.ts'

/**
 * Whether anything waits in the database, and to when time may go on. Deliveries stand apart: the jitter of their later attempts is
 * another one at each run, so that they may decide only where nothing else is left.
 */
export type Open = { isAnything: boolean; dueMs: number; deliveriesMs: number }

const minuteMs = 60_000
/** The contract's delays after each automatic attempt, with the most that may come on top. */
const ladderMs = [1, 5, 25, 120, 600].map((minutes) => minutes * minuteMs + Math.min(minutes * minuteMs * 0.02, 30_000))
/** A row that waits in the queue may go at any time: time goes on in small steps. */
const queuedStepMs = 45_000

export async function readOpen(
  database: Database,
  accountId: Uuid,
  { nowMs, isExact }: { nowMs: number; isExact: boolean },
): Promise<Open> {
  const queued = await sql<{ state: number; expires_at: Date }>(
    database,
    'select state, expires_at from send_queue where account_id = $1',
    [accountId],
  )
  const notices = await sql<{ due_at: Date }>(database, 'select due_at from inbox where state <> 1')
  const pending = await sql<{ attempt: number; ended_at: Date | null; next_at: Date }>(
    database,
    `select attempt, next_at, (select max(started_at + make_interval(secs => ms / 1000.0)) from delivery_attempt
      where delivery_attempt.account_id = delivery.account_id and delivery_id = delivery.id) as ended_at
    from delivery where account_id = $1 and status = 'pending'`,
    [accountId],
  )
  const lanes = await sql<{ earliest_due: Date }>(
    database,
    "select earliest_due from webhook_lane where account_id = $1 and earliest_due < 'infinity'",
    [accountId],
  )
  const firstMs = [
    ...queued.map(({ state, expires_at }) =>
      state === 2 ? expires_at.getTime() + 2 * minuteMs : Math.min(expires_at.getTime(), nowMs + queuedStepMs),
    ),
    ...notices.map(({ due_at }) => due_at.getTime()),
  ]
  // With the whole jitter: when exactly each is tried is different at every run.
  const deliveryMs = pending.map(({ attempt, ended_at, next_at }) =>
    ended_at === null ? next_at.getTime() : ended_at.getTime() + (ladderMs[attempt - 1] ?? 0),
  )
  const deliveriesMs = isExact ? Math.min(...deliveryMs) : Math.max(...deliveryMs, nowMs)
  // A lane is due a little longer than its deliveries.
  const lanesMs = Math.min(...lanes.map(({ earliest_due }) => earliest_due.getTime()))
  const isAnything = firstMs.length + deliveryMs.length + lanes.length > 0
  return { isAnything, dueMs: Math.min(...firstMs), deliveriesMs: deliveryMs.length === 0 ? lanesMs : deliveriesMs }
}

export async function readRows(database: Database, accountId: Uuid): Promise<Rows> {
  return {
    messages: await readMessages(database, accountId),
    events: await readEvents(database, accountId),
    deliveries: await readDeliveries(database, accountId),
    attempts: await readAttempts(database, accountId),
    reactions: await readReactions(database, accountId),
    idempotency: (
      await sql<{ key: string; response: string }>(database, 'select key, response from idempotency where account_id = $1', [accountId])
    ).map(({ key, response }) => ({ key, answerId: JSON.parse(response).id })),
    usageDifferences: await findUsageDifferences(database, accountId),
    open: await countOpen(database, accountId),
  }
}

type Moments = { sent_at: Date | null; delivered_at: Date | null; read_at: Date | null; failed_at: Date | null }

async function readMessages(database: Database, accountId: Uuid): Promise<MessageRow[]> {
  type Row = Moments & {
    id: Uuid
    direction: MessageRow['direction']
    kind: string
    client_reference: string | null
    text: string | null
    status: string
    wamid: string | null
    error_code: number | null
    error_message: string | null
    outcome_unknown: boolean
  }
  const rows = await sql<Row>(
    database,
    `select id, direction, kind, client_reference, text, status, wamid, error_code, error_message, outcome_unknown,
      sent_at, delivered_at, read_at, failed_at
    from message where account_id = $1 order by id`,
    [accountId],
  )
  return rows.map((row) => ({
    id: formatId('msg', row.id),
    direction: row.direction,
    kind: row.kind,
    label: labelOf(row),
    text: row.text,
    status: row.status,
    wamid: row.wamid,
    errorCode: row.error_code,
    errorMessage: row.error_message,
    outcomeUnknown: row.outcome_unknown,
    createdAtMs: momentOf(row.id).getTime(),
    sentAtMs: msOf(row.sent_at),
    deliveredAtMs: msOf(row.delivered_at),
    readAtMs: msOf(row.read_at),
    failedAtMs: msOf(row.failed_at),
  }))
}

const msOf = (moment: Date | null): number | null => moment?.getTime() ?? null

async function readEvents(database: Database, accountId: Uuid): Promise<EventRow[]> {
  const rows = await sql<{ type: string; body: Buffer; created_at: Date }>(
    database,
    'select type, body, created_at from event where account_id = $1 order by id',
    [accountId],
  )
  return rows.map(({ type, body, created_at }) => {
    const { id, data } = JSON.parse(body.toString('utf8'))
    const { status, text, error, reaction } = data
    return {
      ...{ id, type, label: labelOf(data), status, text, errorMessage: error?.message ?? null, createdAtMs: created_at.getTime() },
      reaction: reaction ? { person: reaction.contact.phone, emoji: reaction.emoji, atMs: new Date(reaction.created_at).getTime() } : null,
    }
  })
}

async function readReactions(database: Database, accountId: Uuid): Promise<ReactionRow[]> {
  const rows = await sql<{ wamid: string; phone: string; emoji: string }>(
    database,
    `select wamid, contact.phone, emoji
    from message_reaction
    join message on message.account_id = message_reaction.account_id and message.id = message_id
    join contact on contact.account_id = message_reaction.account_id and contact.id = message_reaction.contact_id
    where message_reaction.account_id = $1 order by message_id, message_reaction.contact_id`,
    [accountId],
  )
  return rows.map(({ wamid, phone, emoji }) => ({ label: labelOf({ client_reference: null, wamid, text: null }), person: phone, emoji }))
}

/** The name of a webhook is the last part of its address. */
const webhookName = `substring(webhook.url from '[^/]+$') as webhook`

async function readDeliveries(database: Database, accountId: Uuid): Promise<DeliveryRow[]> {
  const rows = await sql<Omit<DeliveryRow, 'eventId'> & { id: Uuid; event_id: Uuid }>(
    database,
    `select delivery.id, ${webhookName}, event_id, status, attempt, attempts
    from delivery join webhook on webhook.account_id = delivery.account_id and webhook.id = delivery.webhook_id
    where delivery.account_id = $1 order by delivery.id`,
    [accountId],
  )
  return rows.map(({ event_id, ...row }) => ({ ...row, eventId: formatId('evt', event_id) }))
}

async function readAttempts(database: Database, accountId: Uuid): Promise<AttemptRow[]> {
  const rows = await sql<{ webhook: string; event_id: Uuid; n: number; started_at: Date; status_code: number | null }>(
    database,
    `select ${webhookName}, event_id, n, started_at, status_code
    from delivery_attempt
    join delivery on delivery.account_id = delivery_attempt.account_id and delivery.id = delivery_id
    join webhook on webhook.account_id = delivery.account_id and webhook.id = delivery.webhook_id
    where delivery.account_id = $1 order by delivery_id, n`,
    [accountId],
  )
  return rows.map((row) => ({
    webhook: row.webhook,
    eventId: formatId('evt', row.event_id),
    n: row.n,
    startedAtMs: row.started_at.getTime(),
    statusCode: row.status_code,
  }))
}

async function countOpen(database: Database, accountId: Uuid): Promise<Rows['open']> {
  const rows = await sql<Rows['open']>(
    database,
    `select (select count(*) from send_queue where account_id = $1)::integer as queued,
      (select count(*) from inbox where state <> 1)::integer as notices,
      (select count(*) from delivery where account_id = $1 and status = 'pending')::integer as deliveries,
      (select count(*) from webhook_lane where account_id = $1 and earliest_due < 'infinity')::integer as "lanesDue",
      (select count(*) from parked_status where account_id = $1 and wamid like 'wamid.OUT%')::integer as "parkedOfOurs"`,
    [accountId],
  )
  return rows[0] ?? { queued: -1, notices: -1, deliveries: -1, lanesDue: -1, parkedOfOurs: -1 }
}
