import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import type { Database, Tx } from './database.ts'
import { queryBuilder, statement } from './statement.ts'

type Tables = { schema_migration: { name: string; hash: string; applied_at: Date } }
const build = queryBuilder<Tables>()

/** Any number: all gateways of one database ask for the same one, so that two that start together take turns. */
const migrationLock = 7_060_001

const lockMigrations = statement('lock_migrations', 'select pg_advisory_xact_lock($1)')
const createTable = statement(
  'create_schema_migration',
  'create table if not exists schema_migration (name text primary key, hash text not null, applied_at timestamptz not null)',
)

/** The migrations on disk and in the database do not agree; its message says what to do. */
export class MigrationMismatch extends Error {}

/** Brings the database to the newest schema, all or nothing, and answers the names that were applied now. Safe to run from several processes. */
export async function migrate(database: Database, directory: URL, now: Date): Promise<string[]> {
  const files = await readMigrations(directory)
  return database.transaction(async (tx) => {
    await tx.run(lockMigrations, [migrationLock])
    await tx.run(createTable, [])
    const applied = new Map(
      (await tx.all(build.selectFrom('schema_migration').select(['name', 'hash']))).map((row) => [row.name, row.hash]),
    )
    refuseStrangers(files, applied)
    const missing = files.filter((file) => !applied.has(file.name))
    for (const file of missing) await apply(tx, file, now)
    return missing.map((file) => file.name)
  })
}

/** True when nothing is left to apply. */
export async function migrationsAreApplied(database: Database, directory: URL): Promise<boolean> {
  const names = new Set((await database.all(build.selectFrom('schema_migration').select('name'))).map((row) => row.name))
  return (await readMigrations(directory)).every((file) => names.has(file.name))
}

type MigrationFile = { name: string; text: string; hash: string }

async function readMigrations(directory: URL): Promise<MigrationFile[]> {
  const names = (await readdir(directory)).filter((name) => /^\d{4}_.*\.sql$/.test(name)).sort()
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(new URL(name, directory), 'utf8')
      return { name, text, hash: createHash('sha256').update(text).digest('hex') }
    }),
  )
}

function refuseStrangers(files: readonly MigrationFile[], applied: ReadonlyMap<string, string>): void {
  const known = new Map(files.map((file) => [file.name, file.hash]))
  for (const [name, hash] of applied) {
    if (!known.has(name))
      throw new MigrationMismatch(
        `The database has the migration ${name}, which this version does not know. Start the newer version, or restore an older backup.`,
      )
    if (known.get(name) !== hash)
      throw new MigrationMismatch(
        `The migration ${name} was changed after it had been applied. Restore the file: a released migration is never edited.`,
      )
  }
}

async function apply(tx: Tx, file: MigrationFile, now: Date): Promise<void> {
  // Without values node-postgres uses the simple protocol, which takes several statements at once.
  await tx.all({ compile: () => ({ sql: file.text, parameters: [] }) as never })
  await tx.all(build.insertInto('schema_migration').values({ name: file.name, hash: file.hash, applied_at: now }))
}
