import type { Uuid } from '../../base/id.ts'
import type { Queries } from '../../platform/database/database.ts'
import { statement } from '../../platform/database/statement.ts'

export type CannedAnswer = { accountId: Uuid; id: Uuid; shortcut: string; text: string }
type Row = { account_id: Uuid; id: Uuid; shortcut: string; text: string }

const cannedOf = (row: Row): CannedAnswer => ({ accountId: row.account_id, id: row.id, shortcut: row.shortcut, text: row.text })

const list = statement(
  'list_canned_answers',
  'select account_id, id, shortcut, text from canned_answer where account_id = $1 order by shortcut limit $2',
)
const insert = statement(
  'insert_canned_answer',
  `insert into canned_answer (account_id, id, shortcut, text) values ($1, $2, $3, $4)
  on conflict (account_id, shortcut) do nothing
  returning account_id, id, shortcut, text`,
)
const update = statement(
  'update_canned_answer',
  // A shortcut that another one has changes nothing.
  `update canned_answer set shortcut = coalesce($3, shortcut), text = coalesce($4, text)
  where account_id = $1 and id = $2
    and not exists (select from canned_answer as other where other.account_id = $1 and other.shortcut = $3 and other.id <> $2)
  returning account_id, id, shortcut, text`,
)
const find = statement('find_canned_answer', 'select account_id, id, shortcut, text from canned_answer where account_id = $1 and id = $2')
const remove = statement('delete_canned_answer', 'delete from canned_answer where account_id = $1 and id = $2 returning id')

/** By shortcut, at most `most`. */
export async function selectCanned(queries: Queries, accountId: Uuid, most: number): Promise<CannedAnswer[]> {
  return (await queries.run<Row>(list, [accountId, most])).map(cannedOf)
}

/** False: another one has the shortcut. */
export async function insertCanned(queries: Queries, { accountId, id, shortcut, text }: CannedAnswer): Promise<boolean> {
  return (await queries.run(insert, [accountId, id, shortcut, text])).length > 0
}

/** Null: it is not there, or another one has the shortcut. */
export async function updateCanned(
  queries: Queries,
  { accountId, id }: { accountId: Uuid; id: Uuid },
  { shortcut, text }: { shortcut: string | null; text: string | null },
): Promise<CannedAnswer | null> {
  const [row] = await queries.run<Row>(update, [accountId, id, shortcut, text])
  return row === undefined ? null : cannedOf(row)
}

export async function findCanned(queries: Queries, accountId: Uuid, id: Uuid): Promise<CannedAnswer | null> {
  const [row] = await queries.run<Row>(find, [accountId, id])
  return row === undefined ? null : cannedOf(row)
}

export async function deleteCanned(queries: Queries, accountId: Uuid, id: Uuid): Promise<boolean> {
  return (await queries.run(remove, [accountId, id])).length > 0
}
