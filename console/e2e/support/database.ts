import { join } from 'node:path'
import { Client } from 'pg'
import type { Gateway } from './gateway.ts'

/** Does in the database of a gateway what else only time would do. */
export async function runSql(gateway: Gateway, sql: string, values: readonly string[]): Promise<void> {
  const client = new Client({ host: join(gateway.dataDir, 'postgres'), port: 5432, user: 'pombo', database: 'pombo', ssl: false })
  await client.connect()
  await client.query(sql, [...values])
  await client.end()
}
