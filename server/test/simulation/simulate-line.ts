import { systemClock } from '../../src/base/clock.ts'
import { partitionedTables } from '../../src/partitioned-tables.ts'
import { openDatabase } from '../../src/platform/database/database.ts'
import { migrate } from '../../src/platform/database/migrate.ts'
import { makePartitions } from '../../src/platform/database/partitions.ts'
import { sql } from '../support/stage.ts'
import { runSeeds } from './seeds.ts'

/** What `simulate.ts` gives this process to do. */
export type Line = { connection: { host: string; port: number; user: string; database: string; ssl: false }; name: string; seeds: number[] }

/** Partitions and dead rows gather: a fresh database now and then keeps all seeds equally fast. */
const seedsPerDatabase = 500
const migrations = new URL('../../migrations/', import.meta.url)
const clock = systemClock()

// Whoever started this process is gone: there is nobody to tell.
process.once('disconnect', () => process.exit())
process.once('message', (line) => void run(line as Line).then(() => process.disconnect()))

async function run({ connection, name, seeds }: Line): Promise<void> {
  for (let i = 0; i * seedsPerDatabase < seeds.length; i += 1) {
    const own = { ...connection, database: `${name}_${i}` }
    await onServer(connection, `create database ${own.database}`)
    const database = openDatabase({ connection: own, clock, observe: () => {} })
    await migrate({ database, clock, observe: () => {} }, migrations)
    await makePartitions(database, partitionedTables, clock.now())
    await database.close()
    await runSeeds(own, seeds.slice(i * seedsPerDatabase, (i + 1) * seedsPerDatabase), (outcome) => process.send?.(outcome))
    await onServer(connection, `drop database ${own.database} with (force)`)
  }
}

async function onServer(connection: Line['connection'], text: string): Promise<void> {
  const server = openDatabase({ connection, clock, observe: () => {}, connectionsMax: 1 })
  try {
    await sql(server, text)
  } finally {
    await server.close()
  }
}
