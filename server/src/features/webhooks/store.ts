import type { ColumnType, Selectable } from 'kysely'
import type { Uuid } from '../../base/id.ts'
import type { Sealed } from '../../base/seal.ts'
import { limits } from '../../limits.ts'
import type { Queries, Tx } from '../../platform/database/database.ts'
import { queryBuilder } from '../../platform/database/statement.ts'
import type { RetryWindow, WantedEvent, Webhook } from './webhook.ts'

type WebhookTable = {
  account_id: Uuid
  id: Uuid
  url: string
  events: WantedEvent[]
  enabled: boolean
  description: string | null
  secret: Buffer
  previous_secret: Buffer | null
  previous_secret_until: Date | null
  created_at: Date
  retry_window_started_at: Date | null
  retries_in_window: ColumnType<number, number | undefined>
}

const build = queryBuilder<{ webhook: WebhookTable }>()
const columns = ['account_id', 'id', 'url', 'events', 'enabled', 'description', 'created_at'] as const

export async function insertWebhook(tx: Tx, webhook: Webhook, secret: Sealed): Promise<void> {
  await tx.all(
    build.insertInto('webhook').values({
      account_id: webhook.accountId,
      id: webhook.id,
      url: webhook.url,
      events: [...webhook.events],
      enabled: webhook.enabled,
      description: webhook.description,
      secret,
      created_at: webhook.createdAt,
    }),
  )
}

/** Exact only while the account's row is locked. */
export async function countWebhooks(tx: Tx, accountId: Uuid): Promise<number> {
  const rows = await tx.all(
    build
      .selectFrom('webhook')
      .select((each) => each.fn.countAll<number>().as('count'))
      .where('account_id', '=', accountId),
  )
  return rows[0]?.count ?? 0
}

/** The webhook, or null when the account has none with this id. */
export async function findWebhook(queries: Queries, accountId: Uuid, id: Uuid): Promise<Webhook | null> {
  const rows = await queries.all(build.selectFrom('webhook').select(columns).where('account_id', '=', accountId).where('id', '=', id))
  return rows.map(webhookOf)[0] ?? null
}

/** All of an account, newest first: never more than the contract allows to make. */
export async function listWebhooks(queries: Queries, accountId: Uuid): Promise<Webhook[]> {
  const query = build.selectFrom('webhook').select(columns).where('account_id', '=', accountId).orderBy('id', 'desc')
  return (await queries.all(query.limit(limits.webhooksMax))).map(webhookOf)
}

/** What may be changed of a webhook; what is left out stays. An empty description counts as none. */
export type WebhookChange = { url?: string; events?: readonly WantedEvent[]; enabled?: boolean; description?: string }

/** Changes at least one thing, and answers the webhook; null when the account has none with this id. Locks its row. */
export async function updateWebhook(
  tx: Tx,
  { accountId, webhookId }: { accountId: Uuid; webhookId: Uuid },
  { url, events, enabled, description }: WebhookChange,
): Promise<Webhook | null> {
  const rows = await tx.all(
    build
      .updateTable('webhook')
      .set({
        ...(url !== undefined && { url }),
        ...(events !== undefined && { events: [...events] }),
        ...(enabled !== undefined && { enabled }),
        ...(description !== undefined && { description: description || null }),
      })
      .where('account_id', '=', accountId)
      .where('id', '=', webhookId)
      .returning(columns),
  )
  return rows.map(webhookOf)[0] ?? null
}

/** False when the account has no webhook with this id. */
export async function deleteWebhook(tx: Tx, accountId: Uuid, id: Uuid): Promise<boolean> {
  const rows = await tx.all(build.deleteFrom('webhook').where('account_id', '=', accountId).where('id', '=', id).returning('id'))
  return rows.length > 0
}

export type LockedWebhook = { enabled: boolean; window: RetryWindow }

/** Locks the webhook's row: until commit nobody else changes it, asks for a retry of it or removes it. Null when the account has none with this id. */
export async function lockWebhook(tx: Tx, accountId: Uuid, id: Uuid): Promise<LockedWebhook | null> {
  const rows = await tx.all(
    build
      .selectFrom('webhook')
      .select(['enabled', 'retry_window_started_at', 'retries_in_window'])
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .forUpdate(),
  )
  const [row] = rows
  return row === undefined
    ? null
    : { enabled: row.enabled, window: { startedAt: row.retry_window_started_at, retries: row.retries_in_window } }
}

export async function setRetryWindow(tx: Tx, accountId: Uuid, id: Uuid, { startedAt, retries }: RetryWindow): Promise<void> {
  const change = { retry_window_started_at: startedAt, retries_in_window: retries }
  await tx.all(build.updateTable('webhook').set(change).where('account_id', '=', accountId).where('id', '=', id))
}

/**
 * Signs with `secret` from now on, and with the one before it until `previousUntil`; null: no longer. The one before that is gone in any
 * case. Answers the webhook, or null when the account has none with this id. Locks its row.
 */
export async function replaceSecret(
  queries: Queries,
  webhook: { accountId: Uuid; id: Uuid },
  change: { secret: Sealed; previousUntil: Date | null },
): Promise<Webhook | null> {
  const { secret, previousUntil } = change
  const rows = await queries.all(
    build
      .updateTable('webhook')
      .set((each) => ({
        secret,
        previous_secret: previousUntil === null ? null : each.ref('secret'),
        previous_secret_until: previousUntil,
      }))
      .where('account_id', '=', webhook.accountId)
      .where('id', '=', webhook.id)
      .returning(columns),
  )
  return rows.map(webhookOf)[0] ?? null
}

function webhookOf(row: Pick<Selectable<WebhookTable>, (typeof columns)[number]>): Webhook {
  return {
    accountId: row.account_id,
    id: row.id,
    url: row.url,
    events: row.events,
    enabled: row.enabled,
    description: row.description,
    createdAt: row.created_at,
  }
}
