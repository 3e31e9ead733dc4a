import { sql } from 'kysely'
import type { Uuid } from '../../base/id.ts'
import type { Queries } from '../database/database.ts'
import { queryBuilder, statement } from '../database/statement.ts'
import { uuidOfRequestId } from './request-id.ts'
import type { RequestLogEntry } from './request-log.ts'

// One array a column: the statement is the same for any number of rows, so it is prepared once.
const insert = statement(
  'insert_request_log',
  `insert into request_log (account_id, id, request_id, key_id, livemode, method, route, status_code, ms, error_code, message_id)
  select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::uuid[], $5::boolean[], $6::text[], $7::text[], $8::smallint[], $9::integer[],
    $10::text[], $11::uuid[])
  on conflict do nothing`,
)

/** Writes all entries in one statement. A row that is there already stays: after a lost answer the same batch may come again. */
export async function insertRequestLog(queries: Queries, entries: readonly RequestLogEntry[]): Promise<void> {
  await queries.run(insert, [
    entries.map((each) => each.accountId),
    entries.map((each) => uuidOfRequestId(each.requestId)),
    entries.map((each) => each.requestId),
    entries.map((each) => each.keyId),
    entries.map((each) => each.livemode),
    entries.map((each) => each.method),
    entries.map((each) => each.route),
    entries.map((each) => each.status),
    entries.map((each) => Math.round(each.ms)),
    entries.map((each) => each.errorCode),
    entries.map((each) => each.messageId),
  ])
}

export type StatusClass = '2xx' | '4xx' | '5xx'

export type RequestLogFilter = {
  accountId: Uuid
  /** Calls below this id; null: from the newest on. */
  before: Uuid | null
  limit: number
  status: StatusClass | null
  keyId: Uuid | null
  route: string | null
}

export type LoggedCall = {
  id: Uuid
  keyId: Uuid
  livemode: boolean
  method: string
  route: string
  statusCode: number
  errorCode: string | null
  messageId: Uuid | null
  ms: number
}

type LogTable = {
  account_id: Uuid
  id: Uuid
  key_id: Uuid
  livemode: boolean
  method: string
  route: string
  status_code: number
  error_code: string | null
  message_id: Uuid | null
  ms: number
}

const build = queryBuilder<{ request_log: LogTable }>()
/** A filter that fits nothing must not read a month of a busy account. */
const lookedAtMax = 20_000
const highestUuid = 'ffffffff-ffff-ffff-ffff-ffffffffffff' as Uuid
const codesOfClass = { '2xx': [200, 299], '4xx': [400, 499], '5xx': [500, 599] } as const

/**
 * One page of an account's calls, newest first. At most 20,000 are looked through, in order of the primary key or, for those that failed, of
 * `request_log_failed`; `next` is then where to go on, and null only at the end.
 */
export async function listRequestLog(queries: Queries, filter: RequestLogFilter): Promise<{ calls: LoggedCall[]; next: Uuid | null }> {
  const { accountId, status, keyId, route, limit } = filter
  const newest = build
    .selectFrom('request_log')
    .where('account_id', '=', accountId)
    .where('id', '<', filter.before ?? highestUuid)
    .orderBy('id', 'desc')
  // Written out, not a parameter: only so can the planner use the index that holds these alone.
  const ordered = status === null || status === '2xx' ? newest : newest.where(sql<boolean>`status_code >= 400`)
  const isFiltered = status !== null || keyId !== null || route !== null
  const [last] = isFiltered
    ? await queries.all(
        ordered
          .select('id')
          .offset(lookedAtMax - 1)
          .limit(1),
      )
    : []
  let fitting = ordered.select(['id', 'key_id', 'livemode', 'method', 'route', 'status_code', 'error_code', 'message_id', 'ms'])
  if (last !== undefined) fitting = fitting.where('id', '>=', last.id)
  if (status !== null)
    fitting = fitting.where('status_code', '>=', codesOfClass[status][0]).where('status_code', '<=', codesOfClass[status][1])
  if (keyId !== null) fitting = fitting.where('key_id', '=', keyId)
  if (route !== null) fitting = fitting.where('route', '=', route)
  const rows = await queries.all(fitting.limit(limit + 1))
  const page = rows.slice(0, limit)
  const next = rows.length > limit ? page.at(-1)?.id : last?.id
  return { calls: page.map(callOf), next: next ?? null }
}

function callOf({
  key_id: keyId,
  status_code: statusCode,
  error_code: errorCode,
  message_id: messageId,
  ...rest
}: Omit<LogTable, 'account_id'>): LoggedCall {
  return { ...rest, keyId, statusCode, errorCode, messageId }
}
