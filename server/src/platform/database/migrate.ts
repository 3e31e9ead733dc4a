import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { type Clock, pause } from '../../base/clock.ts'
import { OperatorError } from '../../base/operator-error.ts'
import { buildIndex, indexOf } from './build-index.ts'
import { type Connection, type Database, type DatabaseObservation, openDatabase, type Queries, type Tx } from './database.ts'
import { sqlState } from './failure.ts'
import { refuseOldServer } from './server-version.ts'
import { queryBuilder, statement } from './statement.ts'

type Tables = { schema_migration: { name: string; hash: string; applied_at: Date } }
const build = queryBuilder<Tables>()

/** Any number: all gateways of one database ask for the same one, so that two that start together take turns. */
const migrationLock = 7_060_001

const createTable = statement(
  'create_schema_migration',
  'create table if not exists schema_migration (name text primary key, hash text not null, applied_at timestamptz not null)',
)
const findTable = statement('find_schema_migration', `select to_regclass('schema_migration') is not null as "isThere"`)

/** The migrations on disk and in the database do not agree. */
export class MigrationMismatch extends OperatorError {}

/** A migration does not get its locks, or its turn; what was applied before it stays. */
export class MigrationStuck extends OperatorError {}

export type MigrationObservation =
  | { kind: 'migration.applied'; name: string }
  | { kind: 'migration.waits'; name: string; because: 'another process migrates' | 'somebody holds its tables' }

type Deps = { database: Database; clock: Clock; observe: (observation: MigrationObservation) => void }
type Patience = { lockMs: number; waitMs: number }

/** A migration that waits for a lock makes all others wait behind it: so it gives up soon, and comes again. */
const lockMsMax = 200
/** As long as a nightly dump. */
const waitMsMax = 3_600_000
const statementMsMax = 6 * 3_600_000
const betweenMs = [200, 500, 1_000, 2_000, 5_000]

/** Migrates on connections of its own: a large table may take what no other statement may. Refuses a server that is too old before that. */
export async function migrateAt(
  options: { connection: Connection; clock: Clock; observe: (observation: MigrationObservation | DatabaseObservation) => void },
  directory: URL,
): Promise<string[]> {
  const unbounded = { queryMsMax: statementMsMax, lockMsMax: 0, transactionsAreBounded: false }
  // One waits in the transaction that holds the turn, the other works.
  const database = openDatabase({ ...options, ...unbounded, name: 'pombo migrations', connectionsMax: 2 })
  try {
    return await migrate({ ...options, database }, directory)
  } finally {
    await database.close()
  }
}

/**
 * Brings the database to the newest schema and returns the names that were applied now. Each migration is all or nothing and stays when a
 * later one fails; those of an empty database are one. Of several processes one migrates, the others wait, an hour at most.
 */
export async function migrate(
  deps: Deps,
  directory: URL,
  patience: Patience = { lockMs: lockMsMax, waitMs: waitMsMax },
): Promise<string[]> {
  await refuseOldServer(deps.database)
  const files = await readMigrations(directory)
  const [next] = await missingOf(deps.database, files)
  if (next === undefined) return []
  return waited({ ...deps, ...patience }, { name: next.name, because: 'another process migrates' }, () =>
    deps.database.transaction(async (tx) => {
      return (await takeTurn(tx)) ? { done: await applyMissing({ ...deps, ...patience }, files) } : null
    }),
  )
}

/** Without values, so that the transaction keeps no snapshot while it waits: an index that is built beside work would wait for it for ever. */
async function takeTurn(tx: Tx): Promise<boolean> {
  const text = `select pg_try_advisory_xact_lock(${migrationLock}) as locked`
  const [row] = await tx.all<{ locked: boolean }>({ compile: () => ({ sql: text, parameters: [] }) as never })
  return row?.locked === true
}

/** True when nothing is left to apply. */
export async function migrationsAreApplied(database: Database, directory: URL): Promise<boolean> {
  const names = new Set((await database.all(build.selectFrom('schema_migration').select('name'))).map((row) => row.name))
  return (await readMigrations(directory)).every((file) => names.has(file.name))
}

type Waiting = Deps & Patience

/** Repeats `attempt` until it returns something, observing once what it waits for. */
async function waited<Value>(
  { clock, observe, waitMs }: Waiting,
  what: { name: string; because: 'another process migrates' | 'somebody holds its tables' },
  attempt: () => Promise<{ done: Value } | null>,
): Promise<Value> {
  const untilMs = clock.monotonicMs() + waitMs
  for (let n = 0; ; n += 1) {
    const result = await attempt()
    if (result !== null) return result.done
    if (n === 0) observe({ kind: 'migration.waits', ...what })
    if (clock.monotonicMs() > untilMs) throw new MigrationStuck(stuckWords(what))
    await pause(clock, betweenMs[Math.min(n, betweenMs.length - 1)] ?? 0)
  }
}

const stuckWords = ({ name, because }: { name: string; because: string }) =>
  `The migration ${name} has waited too long, because ${because}. What was applied before it stays. ` +
  'See in pg_stat_activity who has held a transaction open for long, and start again.'

async function applyMissing(deps: Waiting, files: readonly MigrationFile[]): Promise<string[]> {
  const { database, clock, observe } = deps
  const missing = await missingOf(database, files)
  if (missing.length === files.length) {
    // Empty: nobody works on it, and nothing in it is large.
    await database.transaction(async (tx) => {
      await tx.run(createTable, [])
      for (const file of missing) await applyAll(tx, file, clock.now())
    })
  } else for (const file of missing) await (file.isConcurrent ? applyBesideWork(deps, file) : applyPatiently(deps, file))
  const names = missing.map((file) => file.name)
  for (const name of names) observe({ kind: 'migration.applied', name })
  return names
}

async function missingOf(queries: Queries, files: readonly MigrationFile[]): Promise<MigrationFile[]> {
  const [table] = await queries.run<{ isThere: boolean }>(findTable, [])
  const rows = table?.isThere ? await queries.all(build.selectFrom('schema_migration').select(['name', 'hash'])) : []
  const applied = new Map(rows.map((row) => [row.name, row.hash]))
  refuseStrangers(files, applied)
  return files.filter((file) => !applied.has(file.name))
}

/** `isConcurrent`: its first line is `-- concurrently`. It runs beside work: statement by statement, each of which may be done twice. */
type MigrationFile = { name: string; text: string; hash: string; isConcurrent: boolean }

async function readMigrations(directory: URL): Promise<MigrationFile[]> {
  const names = (await readdir(directory)).filter((name) => /^\d{4}_.*\.sql$/.test(name)).sort()
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(new URL(name, directory), 'utf8')
      return { name, text, hash: createHash('sha256').update(text).digest('hex'), isConcurrent: /^-- concurrently\b/.test(text) }
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

async function applyAll(tx: Tx, file: MigrationFile, now: Date): Promise<void> {
  await sql(tx, file.isConcurrent ? file.text.replaceAll(/\bindex concurrently\b/g, 'index') : file.text)
  await noteApplied(tx, file, now)
}

/** In one transaction, again and again until it gets its locks. */
async function applyPatiently(deps: Waiting, file: MigrationFile): Promise<void> {
  await withShortLocks(deps, file.name, (tx) => applyAll(tx, file, deps.clock.now()))
}

async function applyBesideWork(deps: Waiting, file: MigrationFile): Promise<void> {
  for (const text of statementsOf(file.text)) {
    const index = indexOf(text)
    if (index === null) await withShortLocks(deps, file.name, (tx) => sql(tx, text))
    else await buildIndex(deps.database, index, (work) => withShortLocks(deps, file.name, work))
  }
  await noteApplied(deps.database, file, deps.clock.now())
}

async function withShortLocks(deps: Waiting, name: string, work: (tx: Tx) => Promise<void>): Promise<void> {
  await waited(deps, { name, because: 'somebody holds its tables' }, async () => {
    try {
      await deps.database.transaction(async (tx) => {
        await sql(tx, `set local lock_timeout = ${deps.lockMs}`)
        await work(tx)
      })
      return { done: undefined }
    } catch (error) {
      if (isInTheWay(error)) return null
      throw error
    }
  })
}

/** A lock that was not had in time, or a deadlock. */
const isInTheWay = (error: unknown) => ['55P03', '40P01'].includes(sqlState(error) ?? '')

const statementsOf = (text: string): string[] =>
  text
    .split('\n')
    .filter((line) => !line.startsWith('--'))
    .join('\n')
    .split(/;\s*(?:\n|$)/)
    .map((each) => each.trim())
    .filter((each) => each !== '')

async function noteApplied(queries: Queries, file: MigrationFile, now: Date): Promise<void> {
  await queries.all(build.insertInto('schema_migration').values({ name: file.name, hash: file.hash, applied_at: now }))
}

/** Without values node-postgres uses the simple protocol, which takes several statements at once. */
const sql = async (queries: Queries, text: string): Promise<void> => {
  await queries.all({ compile: () => ({ sql: text, parameters: [] }) as never })
}
