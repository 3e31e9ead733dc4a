import { type CompiledQuery, DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'

/** A hot statement: plain SQL, prepared once on each connection under its name. */
export type Statement = { readonly name: string; readonly text: string }

export function statement(name: string, text: string): Statement {
  return { name, text }
}

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
