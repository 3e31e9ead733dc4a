import { randomBytes } from 'node:crypto'
import { inject } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { type Database, openDatabase } from '../../src/platform/database/database.ts'

export type TestDatabase = {
  database: Database
  /** For what opens its own connections: a gateway, the operator's tool. */
  connection: { host: string; port: number; user: string; database: string; ssl: false }
  /** Ends the connections and drops the database, also while others are still connected. */
  close(): Promise<void>
}

/**
 * A database of its own for one test file: migrated, empty, with the partitions of today. A test on another clock's day makes
 * its partitions itself (`makePartitions`). The caller closes it in `afterAll`.
 */
export async function testDatabase(): Promise<TestDatabase> {
  const { connection: server, template } = inject('postgres')
  const name = `test_${randomBytes(6).toString('hex')}`
  await onServer(`create database ${name} template ${template}`)
  const connection = { ...server, database: name }
  const database = openDatabase({ connection, clock: systemClock(), observe: () => {} })
  return {
    database,
    connection,
    async close() {
      await database.close()
      await onServer(`drop database ${name} with (force)`)
    },
  }
}

/** The same connection as a URL, for `DATABASE_URL`. */
export function urlOf(connection: TestDatabase['connection']): string {
  return `postgresql://${connection.user}@/${connection.database}?host=${encodeURIComponent(connection.host)}&port=${connection.port}`
}

/** Commands about whole databases, which no transaction may hold. */
async function onServer(sql: string): Promise<void> {
  const server = openDatabase({ connection: inject('postgres').connection, clock: systemClock(), observe: () => {}, connectionsMax: 1 })
  try {
    await server.all({ compile: () => ({ sql, parameters: [] }) as never })
  } finally {
    await server.close()
  }
}
