import type { Database, Queries, Tx } from './database.ts'
import { statement } from './statement.ts'

/** An index that a migration asks for; `rest`: what stands behind the table's name. */
export type WantedIndex = { name: string; table: string; rest: string }

/** The index of a `create index concurrently`; null: another statement. */
export function indexOf(text: string): WantedIndex | null {
  const [, name, table, rest] = /^create index concurrently (\w+) on (\w+) (\(.*)$/is.exec(text) ?? []
  return name === undefined || table === undefined || rest === undefined ? null : { name, table, rest }
}

type Part = { name: string; index: string | null; isValid: boolean; isAttached: boolean }

const findParts = statement(
  'find_parts_of_index',
  // The parts of the table, each with its part of the index; the table itself where it has none.
  `select part.relname as name, index.relname as index, coalesce(valid.indisvalid, false) as "isValid", link.inhrelid is not null as "isAttached"
  from pg_class whole
  join pg_class part on part.relnamespace = whole.relnamespace and part.relkind = 'r'
    and (part.oid = whole.oid or part.oid = any(array(select inhrelid from pg_inherits where inhparent = whole.oid and not inhdetachpending)))
  left join pg_class index on index.relnamespace = whole.relnamespace and index.relkind = 'i'
    and index.relname = case when part.oid = whole.oid then $2 else part.relname || '_' || $2 end
  left join pg_index valid on valid.indexrelid = index.oid
  left join pg_inherits link on link.inhrelid = index.oid
  where whole.relname = $1 and whole.relnamespace = current_schema()::regnamespace
  order by part.relname`,
)

/**
 * Builds an index while others write, part by part of its table. What an interrupted run left behind is dropped or gone on with.
 * `briefly`: a transaction that gives up its locks soon, and is repeated.
 */
export async function buildIndex(
  database: Database,
  index: WantedIndex,
  briefly: (work: (tx: Tx) => Promise<void>) => Promise<void>,
): Promise<void> {
  const { name, table, rest } = index
  const parts = () => database.run<Part>(findParts, [table, name])
  const isWhole = (await parts()).some((part) => part.name === table)
  // First of all, so that partitions that are made from now on have it.
  if (!isWhole) await briefly((tx) => sql(tx, `create index if not exists ${name} on only ${table} ${rest}`))
  for (const part of await parts()) {
    const own = isWhole ? name : `${part.name}_${name}`
    if (part.index !== null && !part.isValid) await sql(database, `drop index concurrently ${own}`)
    if (part.index === null || !part.isValid) await sql(database, `create index concurrently ${own} on ${part.name} ${rest}`)
    if (!isWhole && !part.isAttached) await briefly((tx) => sql(tx, `alter index ${name} attach partition ${own}`))
  }
}

async function sql(queries: Queries, text: string): Promise<void> {
  await queries.all({ compile: () => ({ sql: text, parameters: [] }) as never })
}
