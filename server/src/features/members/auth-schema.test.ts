import { getMigrations } from 'better-auth/db/migration'
import pg from 'pg'
import { expect, test } from 'vitest'
import { testDatabase } from '../../../test/support/database.ts'
import { secretKey } from '../../../test/support/stage.ts'
import { authOptions } from './auth.ts'

test('the tables of the library for sign-ins are those that this version of it wants', async () => {
  const own = await testDatabase()
  const pool = new pg.Pool({ ...own.connection, options: '-c search_path=auth', max: 1 })
  // The database is dropped at the end, with whoever is still there.
  pool.on('connect', (client) => client.on('error', () => {}))
  try {
    const { toBeCreated, toBeAdded } = await getMigrations(
      authOptions({ secretKey, publicUrl: 'https://console.example', observe: () => {} }, pool),
    )
    expect({ toBeCreated, toBeAdded }).toEqual({ toBeCreated: [], toBeAdded: [] })
  } finally {
    await pool.end()
    await own.close()
  }
})
