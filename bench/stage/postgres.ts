import { Client } from 'pg'
import { systemClock } from '../../server/src/base/clock.ts'
import { type BundledPostgres, startBundledPostgres } from '../../server/src/platform/database/bundled/start.ts'
import { newDataDir } from '../../server/test/support/processes/data-dir.ts'
import { atTheEnd } from './end-everything.ts'

export type Address = { host: string; port: number; user: string; database: string }

export type BaselinePostgres = { address: Address; stop(): Promise<void> }

/**
 * A second server for the baselines: the same program with the same settings, fsync included, on the same disk, and more
 * connections, because they use one for each of 64 callers. It idles while the gateway is measured.
 */
export async function startBaselinePostgres(): Promise<BaselinePostgres> {
  const dataDir = await newDataDir()
  const server: BundledPostgres = await startBundledPostgres(
    { clock: systemClock(), observe: () => {} },
    { dataDir, settings: { max_connections: '120' } },
  )
  return { address: server.connection, stop: atTheEnd(() => server.stop()) }
}

/** The version of the server that the product brings along. */
export async function postgresVersion(): Promise<string> {
  const { address, stop } = await startBaselinePostgres()
  const [row] = await query<{ server_version: string }>(address, 'show server_version')
  await stop()
  return row?.server_version ?? 'unknown'
}

/** One statement on a connection of its own, however long it takes. */
async function query<Row>(address: Address, sql: string, values: readonly unknown[] = []): Promise<Row[]> {
  const client = new Client({ ...address, ssl: false })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(sql, [...values])).rows as Row[]
  } finally {
    await client.end()
  }
}
