import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../test/support/database.ts'
import { sql } from '../test/support/stage.ts'
import { newUuid } from './base/id.ts'
import { type SecretKey, seal } from './base/seal.ts'
import { keptSecretKey } from './secret-key.ts'
import { secretKeyFor, WrongSecretKey } from './secret-key-check.ts'

const newKey = () => randomBytes(32) as SecretKey
let own: TestDatabase
let dataDir: string

beforeEach(async () => {
  own = await testDatabase()
  dataDir = await mkdtemp(join(tmpdir(), 'pombo-key-'))
})
afterEach(async () => {
  await own.close()
  await rm(dataDir, { recursive: true })
})

const keyFor = (secretKey: SecretKey | null) => secretKeyFor(own.database, { secretKey, dataDir })

/** A webhook from before the check was written. */
async function sealOne(key: SecretKey): Promise<void> {
  const [accountId, id] = [newUuid(new Date(0)), newUuid(new Date(0))]
  await sql(own.database, `insert into account (id, name, created_at) values ('${accountId}', 'Loja', now())`)
  const secret = seal(key, 'whsec_of_a_webhook').toString('hex')
  await sql(
    own.database,
    `insert into webhook (account_id, id, url, events, secret, created_at) values ('${accountId}', '${id}', 'https://x.example', '{*}', '\\x${secret}', now())`,
  )
}

describe('the key of an installation', () => {
  test('is kept with a new database; any other is refused from then on, in one sentence', async () => {
    const key = newKey()
    expect(await keyFor(key)).toBe(key)
    expect(await keyFor(key)).toBe(key)
    await expect(keyFor(newKey())).rejects.toThrow(WrongSecretKey)
    await expect(keyFor(newKey())).rejects.toThrow(/^SECRET_KEY is not the key [^\n]+\.$/)
    expect(await keyFor(key)).toBe(key)
  })

  test('that the data directory keeps is made only while nothing has been sealed; a lost one is told, and not replaced', async () => {
    const key = await keyFor(null)
    expect(await keptSecretKey(dataDir)).toEqual(key)
    await rm(join(dataDir, 'secret-key'))
    await expect(keyFor(null)).rejects.toThrow(/^The file secret-key is missing in [^\n]+\.$/)
    expect(await readdir(dataDir)).toEqual([])
    expect(await keyFor(key)).toBe(key)
  })

  test('is held against what an older version has sealed, where there is no check yet', async () => {
    const key = newKey()
    await sealOne(key)
    await expect(keyFor(newKey())).rejects.toThrow(WrongSecretKey)
    await expect(keyFor(null)).rejects.toThrow(WrongSecretKey)
    expect(await keyFor(key)).toBe(key)
  })

  test('is right when one secret opens, though another was sealed with a wrong key', async () => {
    const key = newKey()
    await sealOne(key)
    await sealOne(newKey())
    expect(await keyFor(key)).toBe(key)
  })
})
