import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { type Clock, systemClock } from '../../src/base/clock.ts'
import { partitionedTables } from '../../src/partitioned-tables.ts'
import { startBundledPostgres } from '../../src/platform/database/bundled/start.ts'
import { type Connection, openDatabase } from '../../src/platform/database/database.ts'
import { migrate } from '../../src/platform/database/migrate.ts'
import { makePartitions } from '../../src/platform/database/partitions.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The server of this run; every test file clones a database of its own from `template`. */
    postgres: { connection: { host: string; port: number; user: string; database: string; ssl: false }; template: string }
  }
}

const template = 'pombo_template'
const directoryPrefix = 'pombo-test-postgres-'
/** A directory younger than this may belong to a run that has not locked it yet. */
const leftBehindMs = 60_000

/** Losing a test's data in a crash costs nothing, and commits without a disk are what makes the tests fast. */
const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }

const migrations = new URL('../../migrations/', import.meta.url)

/** Starts one PostgreSQL for the run and migrates the template; the answer stops it. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const clock = systemClock()
  await removeLeftBehind(clock)
  const dataDir = await mkdtemp(join(tmpdir(), directoryPrefix))
  const postgres = await startBundledPostgres({ clock, observe: () => {} }, { dataDir, settings })
  await makeTemplate(clock, postgres.connection)
  project.provide('postgres', { connection: postgres.connection, template })
  return async () => {
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function makeTemplate(clock: Clock, connection: Connection): Promise<void> {
  const server = openDatabase({ connection, clock, observe: () => {} })
  await run(server, `create database ${template}`)
  const database = openDatabase({ connection: { ...connection, database: template }, clock, observe: () => {} })
  await migrate({ database, clock, observe: () => {} }, migrations)
  await makePartitions(database, partitionedTables, clock.now())
  // One open connection to the template would fail every clone.
  await database.close()
  await run(server, `alter database ${template} with is_template true allow_connections false`)
  await server.close()
}

async function run(server: ReturnType<typeof openDatabase>, sql: string): Promise<void> {
  await server.all({ compile: () => ({ sql, parameters: [] }) as never })
}

/** Tear-down does not run after SIGKILL: the server of such a run is adopted, stopped and removed. */
async function removeLeftBehind(clock: Clock): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(directoryPrefix)) continue
    const dataDir = join(tmpdir(), name)
    const changed = await stat(dataDir).catch(() => null)
    if (changed === null || clock.now().getTime() - changed.mtimeMs < leftBehindMs) continue
    try {
      const left = await startBundledPostgres({ clock, observe: () => {} }, { dataDir, settings })
      await left.stop()
      await rm(dataDir, { recursive: true, force: true })
    } catch {
      // Another run owns it, now or a moment ago: it removes it itself.
    }
  }
}
