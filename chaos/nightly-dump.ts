import { Client, type ClientConfig } from 'pg'
import { systemClock } from '../server/src/base/clock.ts'
import { partitionedTables } from '../server/src/partitioned-tables.ts'
import { type Connection, type Database, openDatabase } from '../server/src/platform/database/database.ts'
import { makePartitions } from '../server/src/platform/database/partitions.ts'
import type { Rows } from './audit.ts'

/** Past every proxy. */
type Past = { connection: () => Promise<ClientConfig>; rows: Rows }

/**
 * A session of its own reads every table for long, as a dump does, while another process makes partitions, as each does every hour. Answers what ends it.
 */
export async function dumpBesidePartitions({ connection, rows }: Past): Promise<() => Promise<void>> {
  const config = await connection()
  // What the task would have made an hour ago is missing now.
  for (const drop of lastPartitionsOf(['event', 'inbox', 'send_attempt']))
    await patiently(() => rows(`begin; set local lock_timeout = '300ms'; ${drop}; commit`)).catch(() => {})
  const reader = new Client(config)
  reader.on('error', () => {})
  await reader.connect()
  await reader.query(
    `begin; lock table ${partitionedTables.map(({ table }) => table).join()}, channel, webhook, send_queue in access share mode`,
  )
  const database = openDatabase({ connection: config as Connection, clock: systemClock(), observe: () => {}, connectionsMax: 2 })
  const making = partitionTask(database).catch(() => {})
  return async () => {
    await reader.query('rollback')
    await reader.end()
    await making
    // Else the gateways make them within the hour.
    await patiently(() => partitionTask(database)).catch(() => {})
    await database.close()
  }
}

/** As the gateways' own task. Throws when somebody was in the way. */
async function partitionTask(database: Database): Promise<void> {
  const [trouble] = await makePartitions(database, partitionedTables, new Date())
  if (trouble !== undefined) throw new Error(trouble.message)
}

const dayMs = 86_400_000

/** Drops those of three days ahead, in which nothing is. */
function lastPartitionsOf(tables: readonly string[]): string[] {
  const day = new Date(Date.now() + 3 * dayMs).toISOString().slice(0, 10).replaceAll('-', '')
  return tables.map((table) => `drop table if exists ${table}_${day}`)
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
const triesMax = 20

/** A lock that is not had at once is asked for again, and not waited for: others would wait behind us. */
async function patiently(act: () => Promise<unknown>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return void (await act())
    } catch (error) {
      if (tries === triesMax) throw error
      await pause(50 * tries)
    }
  }
}
