import type { Selectable } from 'kysely'
import type { Uuid } from '../../base/id.ts'
import type { Queries, Tx } from '../../platform/database/database.ts'
import { queryBuilder, statement } from '../../platform/database/statement.ts'
import type { Alert, AlertKind } from './alert.ts'

type AlertTable = {
  account_id: Uuid
  id: Uuid
  kind: AlertKind
  subject: string
  opened_at: Date
  held_at: Date
  closed_at: Date | null
  dismissed_at: Date | null
  mail_due_at: Date | null
  mailed_at: Date | null
}

const build = queryBuilder<{ alert: AlertTable }>()
const columns = ['account_id', 'id', 'kind', 'subject', 'opened_at', 'held_at', 'closed_at', 'dismissed_at', 'mailed_at'] as const
type Row = Pick<Selectable<AlertTable>, (typeof columns)[number]>

const tryLock = statement('try_lock_alerts', 'select pg_try_advisory_xact_lock(7060004) as locked')

/** False: another process is looking just now. Until the end of the transaction. */
export async function tryLockAlerts(tx: Tx): Promise<boolean> {
  const [row] = await tx.run<{ locked: boolean }>(tryLock, [])
  return row?.locked === true
}

const findOpen = statement(
  'find_open_alerts',
  // Served by `one_open_alert_of_each`, all of which is read: that is what is wrong now.
  `select ${columns.join(', ')} from alert where closed_at is null order by account_id, kind, subject limit $1`,
)

/** What is open, of all accounts. */
export async function findOpenAlerts(queries: Queries, most: number): Promise<Alert[]> {
  return (await queries.run<Row>(findOpen, [most])).map(alertOf)
}

const insert = statement(
  'open_alerts',
  `insert into alert (account_id, id, kind, subject, opened_at, held_at, mail_due_at)
  select account_id, id, kind, subject, $5, $5, $5
  from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[]) as fresh (account_id, id, kind, subject)
  on conflict (account_id, kind, subject) where closed_at is null do nothing`,
)

/** Opens alerts, whose mails are due at once. */
export async function insertAlerts(
  tx: Tx,
  alerts: readonly Pick<Alert, 'accountId' | 'id' | 'kind' | 'subject'>[],
  now: Date,
): Promise<void> {
  if (alerts.length === 0) return
  await tx.run(insert, [
    alerts.map((each) => each.accountId),
    alerts.map((each) => each.id),
    alerts.map((each) => each.kind),
    alerts.map((each) => each.subject),
    now,
  ])
}

const hold = statement(
  'hold_alerts',
  `update alert set held_at = $3
  from unnest($1::uuid[], $2::uuid[]) as held (account_id, id)
  where alert.account_id = held.account_id and alert.id = held.id`,
)

/** Notes that these are still wrong. */
export async function holdAlerts(tx: Tx, alerts: readonly Alert[], now: Date): Promise<void> {
  if (alerts.length > 0) await tx.run(hold, [alerts.map((each) => each.accountId), alerts.map((each) => each.id), now])
}

const close = statement(
  'close_alerts',
  // Nobody is told by mail of what is over already.
  `update alert set closed_at = coalesce(alert.closed_at, $3), mail_due_at = null
  from unnest($1::uuid[], $2::uuid[]) as over (account_id, id)
  where alert.account_id = over.account_id and alert.id = over.id`,
)

export async function closeAlerts(tx: Tx, alerts: readonly Alert[], now: Date): Promise<void> {
  if (alerts.length > 0) await tx.run(close, [alerts.map((each) => each.accountId), alerts.map((each) => each.id), now])
}

const dropOld = statement(
  'drop_old_alerts',
  // A bounded bite: the task comes again.
  `delete from alert where (account_id, id) in (select account_id, id from alert where closed_at < $1 order by closed_at limit 1000)`,
)

/** Forgets what was over before this. */
export async function dropOldAlerts(queries: Queries, before: Date): Promise<void> {
  await queries.run(dropOld, [before])
}

const claim = statement(
  'claim_alert_mail',
  // Two processes take different ones; one that dies leaves them to the next turn after `$2`.
  `update alert set mail_due_at = $2, mail_tries = mail_tries + 1
  from (
    select account_id, id from alert
    where mail_due_at <= $1
    order by mail_due_at
    limit 1
    for update skip locked
  ) as due
  where alert.account_id = due.account_id and alert.id = due.id
  returning ${columns.map((column) => `alert.${column}`).join(', ')}, alert.mail_tries`,
)

/** Takes the alert whose mail is due first; what is not finished is due again at `againAt`. `tries` counts this one. Null: none is due. */
export async function claimMail(queries: Queries, now: Date, againAt: Date): Promise<{ alert: Alert; tries: number } | null> {
  const [row] = await queries.run<Row & { mail_tries: number }>(claim, [now, againAt])
  return row === undefined ? null : { alert: alertOf(row), tries: row.mail_tries }
}

/** No further mail; `mailedAt` null: none was sent. */
export async function finishMail(queries: Queries, { accountId, id }: Alert, mailedAt: Date | null): Promise<void> {
  await queries.all(
    build.updateTable('alert').set({ mail_due_at: null, mailed_at: mailedAt }).where('account_id', '=', accountId).where('id', '=', id),
  )
}

/** The alerts of an account that are open, or were after `since`, newest first. */
export async function listAlerts(queries: Queries, accountId: Uuid, of: { since: Date; most: number }): Promise<Alert[]> {
  const rows = await queries.all(
    build
      .selectFrom('alert')
      .select(columns)
      .where('account_id', '=', accountId)
      .where((each) => each.or([each('closed_at', 'is', null), each('closed_at', '>', of.since)]))
      .orderBy('id', 'desc')
      .limit(of.most),
  )
  return rows.map(alertOf)
}

/** The alert after somebody has seen enough of it, with the first moment of that; null: the account has none with this id. */
export async function dismiss(tx: Tx, { accountId, id }: { accountId: Uuid; id: Uuid }, at: Date): Promise<Alert | null> {
  const rows = await tx.all(
    build
      .updateTable('alert')
      .set((each) => ({ dismissed_at: each.fn.coalesce('dismissed_at', each.val(at)), mail_due_at: null }))
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .returning(columns),
  )
  return rows.map(alertOf)[0] ?? null
}

function alertOf(row: Row): Alert {
  return {
    accountId: row.account_id,
    id: row.id,
    kind: row.kind,
    subject: row.subject,
    openedAt: row.opened_at,
    heldAt: row.held_at,
    closedAt: row.closed_at,
    dismissedAt: row.dismissed_at,
    mailedAt: row.mailed_at,
  }
}
