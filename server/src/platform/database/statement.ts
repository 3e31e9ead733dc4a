import { type CompiledQuery, DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import { assert } from '../../base/assert.ts'
import type { JsonText } from '../../base/json.ts'

/** A hot statement: plain SQL, prepared once on each connection under its name. */
export type Statement = { readonly name: string; readonly text: string }

/** No JSON text holds it: inside of strings control characters are escaped. */
const separator = '\x1e'

/** JSON texts as one parameter. As an array each would be escaped here and read back there, character by character. */
export const jsonTexts = (texts: readonly JsonText[]): string => texts.join(separator)

/** What makes a `text[]` of such a parameter again. */
export const textsOf = (parameter: string): string => `string_to_array(${parameter}::text, E'\\x1e')`

const made = new Map<string, Statement>()

/** Names a statement. Throws when another has the name: a connection prepares each name once. */
export function statement(name: string, text: string): Statement {
  assert((made.get(name)?.text ?? text) === text, `two statements are called ${name}`)
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
