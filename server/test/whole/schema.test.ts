import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { schemaText } from '../../../tools/schema-text.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
})
afterAll(() => db.close())

test('server/schema.sql is what the migrations make of an empty database (else: npm run schema)', async () => {
  const committed = await readFile(new URL('../../schema.sql', import.meta.url), 'utf8')
  expect(await schemaText(db.database)).toBe(committed)
})
