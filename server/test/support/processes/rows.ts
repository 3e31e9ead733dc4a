import { Client, type ClientConfig } from 'pg'
import { systemClock } from '../../../src/base/clock.ts'
import { findRunningPostgres } from '../../../src/platform/database/bundled/find-running.ts'

/** Reads rows over a connection of its own. */
export async function rowsOf<Row>(connection: ClientConfig, sql: string): Promise<Row[]> {
  const client = new Client(connection)
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(sql)).rows as Row[]
  } finally {
    await client.end()
  }
}

/** The connection to the bundled server that a gateway runs on its data directory. */
export async function bundledConnection(dataDir: string): Promise<ClientConfig> {
  const connection = await findRunningPostgres({ clock: systemClock() }, dataDir)
  if (connection === null) throw new Error('No gateway runs on this data directory.')
  return connection
}
