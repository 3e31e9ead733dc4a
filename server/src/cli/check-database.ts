import { access } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../base/clock.ts'
import type { Config } from '../config.ts'
import type { Database } from '../platform/database/database.ts'
import { isNewEnough, serverVersion, tooOldWords } from '../platform/database/server-version.ts'
import { type Check, fine, problem } from './check.ts'
import { connectConfigured, isMigrated, type OpenedDatabase } from './open-database.ts'

/** Times are corrected by the measured offset; one this large says that a clock is not set by anything. */
const offsetMsMax = 5_000

/** Checks the database; `opened` is what it left open for further checks, and null when there is none to open. */
export async function checkDatabase(config: Config, clock: Clock): Promise<{ checks: Check[]; opened: OpenedDatabase | null }> {
  if (config.databaseUrl === null && !(await hasData(config)))
    return { checks: [fine('database', 'The bundled PostgreSQL makes its data at the first start.')], opened: null }
  let opened: OpenedDatabase
  try {
    opened = await connectConfigured(config, clock)
  } catch (error) {
    return { checks: [unreachable(config, error)], opened: null }
  }
  try {
    return { checks: await examine(config, opened.database), opened }
  } catch (error) {
    await opened.close()
    return { checks: [unreachable(config, error)], opened: null }
  }
}

const hasData = (config: Config) =>
  access(join(config.dataDir, 'postgres')).then(
    () => true,
    () => false,
  )

async function examine(config: Config, database: Database): Promise<Check[]> {
  const version = await serverVersion(database)
  const offsetMs = Math.round((await database.measureClockOffset()).offsetMs)
  return [
    isNewEnough(version)
      ? fine('database', `PostgreSQL ${version.text} answers${config.databaseUrl === null ? ' (bundled)' : ''}.`)
      : problem('database', tooOldWords(version).fault, tooOldWords(version).advice),
    (await isMigrated(database))
      ? fine('migrations', 'The schema is that of this version.')
      : problem('migrations', 'The database lacks migrations of this version.', 'Start the gateway: it applies them.'),
    Math.abs(offsetMs) <= offsetMsMax
      ? fine('clock', `The database's clock differs from ours by ${Math.abs(offsetMs)} ms.`)
      : problem('clock', `The database's clock differs from ours by ${offsetMs} ms.`, 'Let NTP set the clocks of both machines.'),
  ]
}

function unreachable(config: Config, error: unknown): Check {
  const message = error instanceof Error && error.message !== '' ? error.message : 'There is no connection.'
  const advice =
    config.databaseUrl === null
      ? 'See postgres.log in DATA_DIR.'
      : 'Check DATABASE_URL, that the server runs, and that it lets this machine in.'
  return problem('database', message, advice)
}
