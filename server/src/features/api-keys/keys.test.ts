import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts'
import { type ManualClock, manualClock } from '../../base/clock.ts'
import { newUuid, type Uuid } from '../../base/id.ts'
import type { Database } from '../../platform/database/database.ts'
import { createAccount } from '../accounts/public.ts'
import { issueKey } from './issue.ts'
import type { Scope } from './key.ts'
import { revokeKey, revokeKeyOfAnybody } from './revoke.ts'
import { hashOf } from './secret.ts'
import { listKeys } from './store.ts'
import { createKeyVerifier } from './verify.ts'

const clock = manualClock('2026-03-02T12:00:00Z')
let own: TestDatabase
const deps = () => ({ database: own.database, clock })

beforeAll(async () => {
  own = await testDatabase()
})
afterAll(() => own.close())

async function newAccount(): Promise<Uuid> {
  const made = await createAccount(deps(), { name: 'Padaria', plan: null })
  if (!made.ok) throw new Error(made.refusal.message)
  return made.value.id
}

async function newKey(accountId: Uuid, scopes: readonly Scope[] | null = null, livemode = true) {
  const made = await issueKey(deps(), { accountId, livemode, scopes })
  if (!made.ok) throw new Error(made.refusal.message)
  return made.value
}

/** The database, and how many statements went through it. */
function counting(database: Database): { database: Database; statements: string[] } {
  const statements: string[] = []
  return {
    statements,
    database: {
      ...database,
      run(statement, values) {
        statements.push(statement.name)
        return database.run(statement, values)
      },
    },
  }
}

describe('issuing', () => {
  // rule: authentication 2
  test.each([
    [true, /^svc_live_[A-Za-z0-9_-]{43}$/],
    [false, /^svc_test_[A-Za-z0-9_-]{43}$/],
  ])('livemode %s shows in the prefix of the secret', async (livemode, shape) => {
    expect((await newKey(await newAccount(), null, livemode)).secret).toMatch(shape)
  })

  // rule: authentication 4
  test('of the secret only its hash and its last four characters are in the database', async () => {
    const { key, secret } = await newKey(await newAccount())
    const rows = await own.database.run<{ row: string; hash: Buffer }>(
      { name: 'whole_key_row', text: 'select api_key::text as row, hash from api_key where id = $1' },
      [key.id],
    )
    expect(rows[0]?.hash).toEqual(hashOf(secret))
    expect(rows[0]?.row).not.toContain(secret.slice('svc_live_'.length))
  })

  // rule: authentication 7
  test('the twentieth active key is issued and the twenty-first refused; of two at once for the last place one is issued', async () => {
    const accountId = await newAccount()
    const issue = () => issueKey(deps(), { accountId, livemode: false, scopes: ['messages:read'] })
    for (let i = 1; i <= 19; i += 1) expect((await issue()).ok).toBe(true)
    const two = await Promise.all([issue(), issue()])
    expect(two.filter((each) => each.ok)).toHaveLength(1)
    expect(await issue()).toMatchObject({ ok: false, refusal: { code: 'conflict' } })
    // Another account is not touched by it.
    expect(await newKey(await newAccount())).toMatchObject({ key: { revokedAt: null } })
  })

  // rule: authentication 7
  test('of 25 keys made at once 20 are issued and five are refused with conflict; a revoked one makes room', async () => {
    const accountId = await newAccount()
    const made = await Promise.all(Array.from({ length: 25 }, () => issueKey(deps(), { accountId, livemode: true, scopes: null })))
    expect(made.filter((each) => each.ok)).toHaveLength(20)
    expect(made.find((each) => !each.ok)).toMatchObject({ refusal: { code: 'conflict' } })
    const [first] = await listKeys(own.database, accountId)
    await revokeKey(deps(), { accountId, id: (first as { id: Uuid }).id })
    expect(await issueKey(deps(), { accountId, livemode: true, scopes: null })).toMatchObject({ ok: true })
  })

  test('an account that does not exist gets no key', async () => {
    const made = await issueKey(deps(), { accountId: newUuid(clock.now()), livemode: true, scopes: null })
    expect(made).toMatchObject({ ok: false, refusal: { code: 'not_found' } })
  })
})

describe('verifying', () => {
  test('a key tells its account, mode and scopes', async () => {
    const verifier = createKeyVerifier(deps())
    const accountId = await newAccount()
    const { key, secret } = await newKey(accountId, ['messages:send'], false)
    expect(await verifier.verify(secret)).toEqual({ accountId, keyId: key.id, livemode: false, scopes: ['messages:send'] })
    await verifier.close()
  })

  // rule: authentication 5
  test('a revoked key is refused by the very next call, and its first moment of revocation stays', async () => {
    const verifier = createKeyVerifier(deps())
    const { key, secret } = await newKey(await newAccount())
    expect(await verifier.verify(secret)).not.toBeNull()
    const revoked = await revokeKey(deps(), { accountId: key.accountId, id: key.id })
    expect(await verifier.verify(secret)).toBeNull()
    clock.advance(1_000)
    expect(await revokeKey(deps(), { accountId: key.accountId, id: key.id })).toEqual(revoked)
    await verifier.close()
  })

  test('revoking a key that does not exist is refused as not found', async () => {
    const id = newUuid(clock.now())
    const notFound = { ok: false, refusal: { code: 'not_found' } }
    expect(await revokeKey(deps(), { accountId: await newAccount(), id })).toMatchObject(notFound)
    expect(await revokeKeyOfAnybody(deps(), id)).toMatchObject(notFound)
  })

  test('a key of another account is not found, and goes on being good', async () => {
    const verifier = createKeyVerifier(deps())
    const { key, secret } = await newKey(await newAccount())
    expect(await revokeKey(deps(), { accountId: await newAccount(), id: key.id })).toMatchObject({ ok: false })
    expect(await verifier.verify(secret)).not.toBeNull()
    expect(await revokeKeyOfAnybody(deps(), key.id)).toMatchObject({ ok: true })
    expect(await verifier.verify(secret)).toBeNull()
    await verifier.close()
  })

  // rule: authentication 6
  test('the keys of one event-loop turn are looked up in one query, each answered for itself; the next turn asks again', async () => {
    const { database, statements } = counting(own.database)
    const verifier = createKeyVerifier({ database, clock })
    const [a, b] = [await newKey(await newAccount()), await newKey(await newAccount())]
    const unknown = `svc_live_${'x'.repeat(43)}`
    const callers = await Promise.all([a.secret, unknown, b.secret, a.secret].map((secret) => verifier.verify(secret)))
    expect(callers.map((caller) => caller?.keyId ?? null)).toEqual([a.key.id, null, b.key.id, a.key.id])
    expect(statements).toEqual(['select_callers_by_key_hash'])
    await verifier.verify(a.secret)
    expect(statements).toHaveLength(2)
    await verifier.close()
  })

  test.each(['', 'svc_live_short', `svc_other_${'x'.repeat(43)}`, `svc_live_${'x'.repeat(42)}é`, `svc_live_${'x'.repeat(200)}`])(
    'the malformed key %j costs no query',
    async (bearer) => {
      const { database, statements } = counting(own.database)
      expect(await createKeyVerifier({ database, clock }).verify(bearer)).toBeNull()
      expect(statements).toEqual([])
    },
  )

  test('an outage is an error and never a refused key', async () => {
    const away: Database = { ...own.database, run: () => Promise.reject(new Error('Connection terminated')) }
    await expect(createKeyVerifier({ database: away, clock }).verify(`svc_live_${'x'.repeat(43)}`)).rejects.toThrow('terminated')
  })
})

describe('the moment of use', () => {
  const lastUsed = async (accountId: Uuid) => (await listKeys(own.database, accountId))[0]?.lastUsedAt ?? null
  const writes = (statements: string[]) => statements.filter((name) => name === 'update_keys_last_used').length

  test('is written once a minute for all uses of that minute', async () => {
    const time: ManualClock = manualClock('2026-03-03T12:00:00Z')
    const { database, statements } = counting(own.database)
    const written = Promise.withResolvers<void>()
    const signalled: Database = {
      ...database,
      async run<Row>(statement: { name: string; text: string }, values: readonly unknown[]) {
        const rows = await database.run<Row>(statement, values)
        if (statement.name === 'update_keys_last_used') written.resolve()
        return rows
      },
    }
    const verifier = createKeyVerifier({ database: signalled, clock: time })
    const accountId = await newAccount()
    const { secret } = await newKey(accountId)
    for (let call = 0; call < 3; call += 1) {
      await verifier.verify(secret)
      time.advance(10_000)
    }
    expect(await lastUsed(accountId)).toBeNull()
    time.advance(30_000)
    await written.promise
    expect(await lastUsed(accountId)).toEqual(new Date('2026-03-03T12:00:20Z'))
    await verifier.close()
    expect(writes(statements)).toBe(1)
  })

  test('is not lost when the process ends before the minute does', async () => {
    const verifier = createKeyVerifier(deps())
    const accountId = await newAccount()
    await verifier.verify((await newKey(accountId)).secret)
    await verifier.close()
    expect(await lastUsed(accountId)).toEqual(clock.now())
  })

  test('never moves back, whichever process writes last', async () => {
    const accountId = await newAccount()
    const { secret } = await newKey(accountId)
    const [late, early] = [manualClock('2026-03-04T12:00:00Z'), manualClock('2026-03-04T11:00:00Z')]
    for (const time of [late, early]) {
      const verifier = createKeyVerifier({ database: own.database, clock: time })
      await verifier.verify(secret)
      await verifier.close()
    }
    expect(await lastUsed(accountId)).toEqual(late.now())
  })
})

// rule: limits 2
test('a flood of wrong keys has one query at a time, and a key that was right before waits for none of them', async () => {
  const { secret } = await newKey(await newAccount())
  const counted = counting(own.database)
  let running = 0
  let most = 0
  const database: Database = {
    ...counted.database,
    async run(statement, values) {
      running += 1
      most = Math.max(most, running)
      try {
        return await counted.database.run(statement, values)
      } finally {
        running -= 1
      }
    },
  }
  const verifier = createKeyVerifier({ database, clock })
  expect(await verifier.verify(secret)).not.toBeNull()
  const wrong = secret.slice(0, -8)
  let answered = 0
  const flood: Promise<unknown>[] = []
  for (let turn = 0; turn < 20; turn += 1) {
    for (let i = 0; i < 200; i += 1)
      flood.push(verifier.verify(`${wrong}${String(turn * 200 + i).padStart(8, '0')}`).then(() => (answered += 1)))
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(most).toBe(1)
  const statements = counted.statements.length
  expect(await verifier.verify(secret)).not.toBeNull()
  await Promise.all(flood)
  expect(answered).toBe(4_000)
  expect(statements).toBeLessThan(30)
  await verifier.close()
})
