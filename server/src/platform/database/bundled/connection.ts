import { closeSync, mkdtempSync, openSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { isErrorCode } from './error-code.ts'

/**
 * What pg's `Pool` and `Client` take. Port and `ssl` are named because pg would otherwise take them from PGPORT and PGSSLMODE,
 * which an operator may have set for another server.
 */
export type BundledConnection = { host: string; port: number; user: string; database: string; ssl: false }

/** The superuser that the data directory is made with, and the one we connect as. */
export const userName = 'pombo'
const databaseName = 'pombo'
/** No TCP port: the number that ends the socket's name. */
export const port = 5432

/** An address of the server's socket that fits the operating system's limit, and how to give back what it needed. */
type SocketAddress = { host: string; close(): void }

/** The longest path that `connect` takes: 108 bytes with the closing zero on Linux, 104 on macOS. */
const socketPathBytesMax = process.platform === 'linux' ? 107 : 103

/**
 * Where a client finds the socket, which lies in the data directory. A path too long for `connect` is shortened by way of an
 * open directory of this process on Linux, and by a link in the temporary directory elsewhere; both work in this process only
 * and until `close`.
 */
export function openSocketAddress(dataDirectory: string): SocketAddress {
  if (Buffer.byteLength(join(dataDirectory, `.s.PGSQL.${port}`)) <= socketPathBytesMax) return { host: dataDirectory, close: () => {} }
  if (process.platform === 'linux') {
    const directory = openSync(dataDirectory, 'r')
    return { host: `/proc/self/fd/${directory}`, close: () => closeSync(directory) }
  }
  const folder = mkdtempSync(join(tmpdir(), 'pombo-'))
  symlinkSync(dataDirectory, join(folder, 'd'))
  return { host: join(folder, 'd'), close: () => rmSync(folder, { recursive: true, force: true }) }
}

export function connectionTo(host: string, database = databaseName): BundledConnection {
  return { host, port, user: userName, database, ssl: false }
}

/**
 * Asks the server `select 1`.
 *
 * - `ready`: it answered; `database_missing`: it answered that our database does not exist yet.
 * - `not_yet`: it is there, but starts, recovers or stops. `silent`: nobody listens.
 */
export async function probe(host: string): Promise<'ready' | 'database_missing' | 'not_yet' | 'silent'> {
  try {
    await query(connectionTo(host), 'select 1')
    return 'ready'
  } catch (error) {
    if (isErrorCode(error, 'ENOENT', 'ECONNREFUSED')) return 'silent'
    return isErrorCode(error, '3D000') ? 'database_missing' : 'not_yet'
  }
}

/** Creates our database. A double creation is no fault: a starter before us may have died right after it. */
export async function createDatabase(host: string): Promise<void> {
  try {
    await query(connectionTo(host, 'postgres'), `create database ${databaseName}`)
  } catch (error) {
    if (!isErrorCode(error, '42P04')) throw error
  }
}

async function query(connection: BundledConnection, sql: string): Promise<void> {
  const client = new Client({ ...connection, connectionTimeoutMillis: 5_000, query_timeout: 30_000 })
  // Without a listener an error between two calls would end the process; what matters also rejects the call itself.
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query(sql)
  } catch (error) {
    // Not awaited: after a failed connect pg may wait for an end that has already been.
    void client.end().catch(() => {})
    throw error
  }
  await client.end()
}
