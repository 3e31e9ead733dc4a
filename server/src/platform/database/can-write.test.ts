import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts'
import { sql } from '../../../test/support/stage.ts'
import { systemClock } from '../../base/clock.ts'
import { takesWrites } from './can-write.ts'
import { openDatabase } from './database.ts'

let own: TestDatabase
beforeAll(async () => {
  own = await testDatabase()
})
afterAll(() => own.close())

test('a database that takes no writes, as after a failover, is told from one that does', async () => {
  expect(await takesWrites(own.database)).toBe(true)
  await sql(own.database, `alter database ${own.connection.database} set default_transaction_read_only = on`)
  const demoted = openDatabase({ connection: own.connection, clock: systemClock(), observe: () => {}, connectionsMax: 1 })
  expect(await takesWrites(demoted)).toBe(false)
  await demoted.close()
})
