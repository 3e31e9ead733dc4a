import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts'
import { present } from '../../base/assert.ts'
import { manualClock } from '../../base/clock.ts'
import { newUuid, type Uuid } from '../../base/id.ts'
import { resumeAccount, setOptOutWords, suspendAccount } from './change.ts'
import { createAccount } from './create.ts'
import { setPlan } from './set-plan.ts'
import { findAccount, listAccounts, suspendedAmong } from './store.ts'

const clock = manualClock('2026-03-02T12:00:00Z')
let own: TestDatabase
const deps = () => ({ database: own.database, clock })

beforeAll(async () => {
  own = await testDatabase()
})
afterAll(() => own.close())

async function accountNamed(name: string): Promise<Uuid> {
  const made = await createAccount(deps(), { name, plan: null })
  if (!made.ok) throw new Error(made.refusal.message)
  return made.value.id
}

test('a new account may send, has no plan and does not react to opt-out words', async () => {
  const id = await accountNamed('  Padaria Central ')
  expect(await findAccount(own.database, id)).toEqual({
    id,
    name: 'Padaria Central',
    plan: null,
    suspendedAt: null,
    optOutWords: false,
    createdAt: clock.now(),
  })
})

test('an account cannot be created without a name or under a plan that does not exist', async () => {
  const before = await listAccounts(own.database)
  expect(await createAccount(deps(), { name: '  ', plan: null })).toMatchObject({
    ok: false,
    refusal: { code: 'invalid_request', details: [{ field: 'name' }] },
  })
  expect(await createAccount(deps(), { name: 'X', plan: 'gold' })).toMatchObject({
    ok: false,
    refusal: { code: 'invalid_request', details: [{ field: 'plan' }] },
  })
  expect(await listAccounts(own.database)).toEqual(before)
})

test('setting a plan again changes its franchise, and accounts can be created under it', async () => {
  await setPlan(deps(), { name: 'silver', franchise: 1000 })
  expect(await setPlan(deps(), { name: 'silver', franchise: 2000 })).toEqual({ ok: true, value: { name: 'silver', franchise: 2000 } })
  expect(await createAccount(deps(), { name: 'Y', plan: 'silver' })).toMatchObject({ ok: true, value: { plan: 'silver' } })
})

test.each([0, 2 ** 31 - 1])('a franchise of %d is taken', async (franchise) => {
  expect(await setPlan(deps(), { name: 'edge', franchise })).toEqual({ ok: true, value: { name: 'edge', franchise } })
})

test.each([-1, 1.5, 2 ** 31, Number.NaN])('a franchise of %d is refused', async (franchise) => {
  expect(await setPlan(deps(), { name: 'odd', franchise })).toMatchObject({ ok: false, refusal: { details: [{ field: 'franchise' }] } })
})

test('suspending twice keeps the first moment, and resuming ends it', async () => {
  const id = await accountNamed('Z')
  const first = clock.now()
  await suspendAccount(deps(), id)
  clock.advance(60_000)
  expect(await suspendAccount(deps(), id)).toMatchObject({ ok: true, value: { suspendedAt: first } })
  expect(await resumeAccount(deps(), id)).toMatchObject({ ok: true, value: { suspendedAt: null } })
})

// rule: authentication 6
test('suspendedAmong answers exactly the suspended ones of those asked for', async () => {
  const [good, bad, other] = [await accountNamed('a'), await accountNamed('b'), await accountNamed('c')]
  await suspendAccount(deps(), bad)
  await suspendAccount(deps(), other)
  expect(await suspendedAmong(own.database, [good, bad, newUuid(clock.now())])).toEqual(new Set([bad]))
  expect(await suspendedAmong(own.database, [])).toEqual(new Set())
})

test('opt-out words are switched on and off', async () => {
  const id = await accountNamed('w')
  expect(await setOptOutWords(deps(), { id, on: true })).toMatchObject({ ok: true, value: { optOutWords: true } })
  expect(present(await findAccount(own.database, id), 'made above').optOutWords).toBe(true)
  expect(await setOptOutWords(deps(), { id, on: false })).toMatchObject({ ok: true, value: { optOutWords: false } })
})

test('what names an account that does not exist is refused as not found', async () => {
  const id = newUuid(clock.now())
  for (const refused of [await suspendAccount(deps(), id), await resumeAccount(deps(), id), await setOptOutWords(deps(), { id, on: true })])
    expect(refused).toMatchObject({ ok: false, refusal: { code: 'not_found' } })
})
