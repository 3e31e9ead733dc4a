import { type CompiledQuery, DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import { assert } from '../../base/assert.ts'

/** A hot statement: plain SQL, prepared once on each connection under its name. */
export type Statement = { readonly name: string; readonly text: string }

const made = new Map<string, Statement>()

/** Names a statement. Throws when the name is taken: a connection prepares each name once. */
export function statement(name: string, text: string): Statement {
  assert(!made.has(name), `two statements are called ${name}`)
  const named = { name, text }
  made.set(name, named)
  return named
}

/** Every statement of the modules that were loaded, so that their plans can be looked at. */
export const allStatements = (): readonly Statement[] => [...made.values()]

/** Anything that Kysely can compile; the row type rides along. */
export type Compilable<Row> = { compile(): CompiledQuery<Row> }

/** Kysely as a typed writer of SQL for one feature's tables. It has no connection: `Queries.all` runs what it builds. */
export function queryBuilder<Tables>(): Kysely<Tables> {
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  })
}
