import type { Queries } from '../database/database.ts'
import { statement } from '../database/statement.ts'
import { uuidOfRequestId } from './request-id.ts'
import type { RequestLogEntry } from './request-log.ts'

// One array a column: the statement is the same for any number of rows, so it is prepared once.
const insert = statement(
  'insert_request_log',
  `insert into request_log (account_id, id, request_id, key_id, livemode, method, route, status_code, ms)
  select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::uuid[], $5::boolean[], $6::text[], $7::text[], $8::smallint[], $9::integer[])
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
  ])
}
