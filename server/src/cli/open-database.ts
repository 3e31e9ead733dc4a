import type { Clock } from '../base/clock.ts'
import type { SecretKey } from '../base/seal.ts'
import type { Config } from '../config.ts'
import { findRunningPostgres } from '../platform/database/bundled/find-running.ts'
import { startBundledPostgres } from '../platform/database/bundled/start.ts'
import { type Connection, type Database, openDatabase } from '../platform/database/database.ts'
import { sqlState } from '../platform/database/failure.ts'
import { migrateAt, migrationsAreApplied } from '../platform/database/migrate.ts'
import { serverConnection } from '../platform/database/server-tls.ts'
import { secretKeyFor } from '../secret-key-check.ts'
import { CannotRun } from './cannot-run.ts'

export type OpenedDatabase = {
  database: Database
  connection: Connection
  /** The key that seals tokens and secrets; made when there is none yet, and refused when it opens nothing of what is there. */
  secretKey(): Promise<SecretKey>
  close(): Promise<void>
}

const migrations = new URL('../../migrations/', import.meta.url)
const connectionsMax = 2

/**
 * Opens the configured database with the newest schema. A database of its own is never migrated from here: that is the
 * gateway's, which knows who else uses it.
 */
export async function openConfigured(config: Config, clock: Clock): Promise<OpenedDatabase> {
  const opened = await connectConfigured(config, clock)
  try {
    if (config.databaseUrl === null) await migrateAt({ connection: opened.connection, clock, observe: () => {} }, migrations)
    else await refuseUnmigrated(opened.database)
    return opened
  } catch (error) {
    await opened.close()
    throw error
  }
}

/** Opens the configured database as it is. The bundled one is a running gateway's, or else runs for as long as it is open here. */
export async function connectConfigured(config: Config, clock: Clock): Promise<OpenedDatabase> {
  const { connection, stop } = await reach(config, clock)
  let key: Promise<SecretKey> | null = null
  const database = openDatabase({ connection, clock, observe: () => {}, connectionsMax })
  return {
    database,
    connection,
    secretKey() {
      key ??= secretKeyFor(database, config)
      return key
    },
    async close() {
      await database.close()
      await stop()
    },
  }
}

async function reach(config: Config, clock: Clock): Promise<{ connection: Connection; stop: () => Promise<void> }> {
  if (config.databaseUrl !== null) return { connection: serverConnection(config.databaseUrl, config.databaseCa), stop: async () => {} }
  const running = await findRunningPostgres({ clock }, config.dataDir)
  if (running !== null) return { connection: running, stop: async () => {} }
  return startBundledPostgres({ clock, observe: () => {} }, { dataDir: config.dataDir })
}

async function refuseUnmigrated(database: Database): Promise<void> {
  if (await isMigrated(database)) return
  throw new CannotRun('The database lacks migrations of this version. Start the gateway once with the same DATABASE_URL: it applies them.')
}

/** True when nothing is left to apply; a database without any table is not. */
export async function isMigrated(database: Database): Promise<boolean> {
  try {
    return await migrationsAreApplied(database, migrations)
  } catch (error) {
    const undefinedTable = '42P01'
    if (sqlState(error) === undefinedTable) return false
    throw error
  }
}
