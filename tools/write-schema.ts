import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../server/src/base/clock.ts'
import { startBundledPostgres } from '../server/src/platform/database/bundled/start.ts'
import { openDatabase } from '../server/src/platform/database/database.ts'
import { migrate } from '../server/src/platform/database/migrate.ts'
import { schemaText } from './schema-text.ts'

// What `npm run schema` runs: migrates an empty database of its own and writes `server/schema.sql`.
const clock = systemClock()
const dataDir = await mkdtemp(join(tmpdir(), 'pombo-schema-'))
const postgres = await startBundledPostgres({ clock, observe: () => {} }, { dataDir, settings: { fsync: 'off' } })
try {
  const database = openDatabase({ connection: postgres.connection, clock, observe: () => {} })
  await migrate({ database, clock, observe: () => {} }, new URL('../server/migrations/', import.meta.url))
  await writeFile(new URL('../server/schema.sql', import.meta.url), await schemaText(database))
  await database.close()
} finally {
  await postgres.stop()
  await rm(dataDir, { recursive: true, force: true })
}
