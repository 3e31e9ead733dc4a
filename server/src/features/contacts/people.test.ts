import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts'
import { digits, sql } from '../../../test/support/stage.ts'
import { manualClock } from '../../base/clock.ts'
import { newUuid, type Uuid } from '../../base/id.ts'
import { isUserId, type Recipient } from './contact.ts'
import { learnFromAnswers, meetPeople, type PersonSeen } from './learn.ts'
import { createPeople, findPeople } from './resolve.ts'
import { findContactsById } from './store.ts'
import { lastInboundOf, openWindows } from './window.ts'

const clock = manualClock('2026-03-02T12:00:00.000Z')
let own: TestDatabase
let accountId: Uuid

beforeAll(async () => {
  own = await testDatabase()
})
afterAll(() => own.close())
beforeEach(() => {
  accountId = newUuid(clock.now())
})

const phone = (text: string): Recipient => ({ kind: 'phone', digits: digits(text) })
const userId = (id: string): Recipient => ({ kind: 'user_id', userId: id })
const wanted = (recipient: Recipient, livemode = true) => ({ accountId, livemode, recipient })
const fresh = (recipient: Recipient, more: { name?: string; livemode?: boolean } = {}) => ({
  ...wanted(recipient, more.livemode ?? true),
  name: more.name ?? null,
})
const create = (...people: ReturnType<typeof fresh>[]) => own.database.transaction((tx) => createPeople(tx, clock, people))
const find = (...people: ReturnType<typeof wanted>[]) => findPeople(own.database, people)
const seen = (waId: string | null, more: { userId?: string; name?: string; livemode?: boolean } = {}): PersonSeen => ({
  accountId,
  livemode: more.livemode ?? true,
  waId: waId === null ? null : digits(waId),
  userId: more.userId ?? null,
  name: more.name ?? null,
})
const deps = { clock, follow: async () => {} }
const meet = (...people: PersonSeen[]) => own.database.transaction((tx) => meetPeople(tx, deps, people))
const count = async () =>
  (await sql<{ n: number }>(own.database, 'select count(*) as n from contact where account_id = $1', [accountId]))[0]?.n

describe('a person', () => {
  test('is one under both spellings of a phone, shown in the canonical one', async () => {
    const [one, other] = await create(fresh(phone('551187654321'), { name: 'Ana' }), fresh(phone('+55 11 98765-4321')))
    expect(other?.id).toBe(one?.id)
    expect(one).toMatchObject({ phone: '5511987654321', name: 'Ana', waId: null })
    expect((await find(wanted(phone('551187654321')), wanted(phone('5511987654321')))).map((each) => each?.id)).toEqual([one?.id, one?.id])
  })

  test('belongs to one account and mode', async () => {
    const [live] = await create(fresh(phone('5511987654321')))
    expect(await find(wanted(phone('5511987654321'), false))).toEqual([null])
    expect(await findPeople(own.database, [{ ...wanted(phone('5511987654321')), accountId: newUuid(clock.now()) }])).toEqual([null])
    const [test] = await create(fresh(phone('5511987654321'), { livemode: false }))
    expect(test?.id).not.toBe(live?.id)
  })

  test('keeps the name of the first who named them: a send names only who is new', async () => {
    await create(fresh(phone('5511987654321'), { name: 'Ana' }))
    const [again] = await create(fresh(phone('551187654321'), { name: 'Other' }))
    expect(again?.name).toBe('Ana')
  })

  test('is made once by transactions that make them at once, in whatever order they come to their people', async () => {
    const phones = ['5511987654321', '5511987654322', '5511987654323'].map((each) => fresh(phone(each)))
    const made = await Promise.all([create(...phones), create(...phones.toReversed()), create(...phones)])
    expect(await count()).toBe(3)
    expect(made[1]?.toReversed().map((each) => each.id)).toEqual(made[0]?.map((each) => each.id))
    expect(made[2]?.map((each) => each.id)).toEqual(made[0]?.map((each) => each.id))
  })

  test('is made by the second of two transactions when the first is rolled back', async () => {
    let bothIn = () => {}
    const secondMayStart = new Promise<void>((resolve) => {
      bothIn = resolve
    })
    const first = own.database.transaction(async (tx) => {
      await createPeople(tx, clock, [fresh(phone('5511987654321'))])
      bothIn()
      throw new Error('rolled back')
    })
    await secondMayStart
    const second = create(fresh(phone('5511987654321')))
    await expect(first).rejects.toThrow()
    expect((await second)[0]?.phone).toBe('5511987654321')
    expect(await count()).toBe(1)
  })
})

const answer = (input: string, waId: string | null, userId: string | null = null) => ({
  accountId,
  livemode: true,
  input,
  waId,
  userId,
  at: clock.now(),
})
const learn = (...answers: ReturnType<typeof answer>[]) => own.database.transaction((tx) => learnFromAnswers(tx, deps, answers))

// rule: people 2
describe('what answers teach', () => {
  test('a wa_id becomes an alias, even where no rule of ours knows the spelling', async () => {
    const [contact] = await create(fresh(phone('4915112345678')))
    await learn(answer('4915112345678', '4915112345679', 'DE.1'), answer('4915112345678', null))
    const found = await find(wanted(phone('4915112345678')), wanted(phone('4915112345679')), wanted(userId('DE.1')))
    expect(found.map((each) => each?.id)).toEqual([contact?.id, contact?.id, contact?.id])
    expect(found[0]).toMatchObject({ phone: '4915112345678', waId: '4915112345679', userId: 'DE.1' })
  })

  test('a person who was addressed by user id is known by the phone of the answer', async () => {
    const [contact] = await meet(seen(null, { userId: 'DE.1' }))
    await learn(answer('DE.1', '4915112345678'))
    expect((await find(wanted(phone('4915112345678'))))[0]).toMatchObject({ id: contact?.id, phone: '4915112345678', userId: 'DE.1' })
  })

  test('an answer that was posted to nobody we could name teaches nothing', async () => {
    await learn(answer('status@broadcast', '4915112345678'))
    expect(await count()).toBe(0)
  })
})

describe('what notices teach', () => {
  test('a person is met by phone, is named, and is known by user id from then on', async () => {
    const [first] = await meet(seen('551187654321', { userId: 'BR.1', name: 'Ana' }))
    expect(first).toMatchObject({ phone: '5511987654321', waId: '551187654321', userId: 'BR.1', name: 'Ana' })
    const [again] = await meet(seen(null, { userId: 'BR.1', name: 'Ana Maria' }))
    expect(again).toMatchObject({ id: first?.id, name: 'Ana Maria' })
    const [stored] = await findContactsById(own.database, [{ accountId, id: first?.id ?? accountId }])
    expect(stored).toMatchObject({ name: 'Ana Maria', waId: '551187654321' })
  })

  test('a person who was sent to before is recognised by the other spelling', async () => {
    const [sentTo] = await create(fresh(phone('5511987654321'), { name: 'Contato' }))
    const [met] = await meet(seen('551187654321', { name: 'Ana' }))
    expect(met).toMatchObject({ id: sentTo?.id, name: 'Ana' })
  })

  test('a person without a phone has an empty one, until it is told', async () => {
    const [first] = await meet(seen(null, { userId: 'BR.1' }))
    expect(first).toMatchObject({ phone: '', waId: null, userId: 'BR.1' })
    const [again] = await meet(seen('551187654321', { userId: 'BR.1' }))
    expect(again).toMatchObject({ id: first?.id, phone: '5511987654321' })
    const [stored] = await find(wanted(phone('5511987654321')))
    expect(stored).toMatchObject({ id: first?.id, phone: '5511987654321', waId: '551187654321' })
    const [other] = await meet(seen('4915112345678', { userId: 'BR.1' }))
    expect(other?.phone).toBe('5511987654321')
  })

  test('one person described in two ways within a batch is one person', async () => {
    for (const order of [
      [seen('551187654321', { userId: 'BR.1' }), seen(null, { userId: 'BR.1' })],
      [seen(null, { userId: 'BR.2' }), seen('551187654322', { userId: 'BR.2' })],
    ]) {
      const [one, other] = await meet(...order)
      expect(other?.id).toBe(one?.id)
    }
    expect(await count()).toBe(2)
  })

  test('a description of nobody is nobody, and the others keep their places', async () => {
    const [one, nobody, other] = await meet(seen('5511987654321'), seen(null), seen('5511987654322'))
    expect(nobody).toBeNull()
    expect([one?.phone, other?.phone]).toEqual(['5511987654321', '5511987654322'])
  })

  test('the last description of a batch wins, field by field', async () => {
    const [, last] = await meet(seen('5511987654321', { name: 'Ana', userId: 'BR.1' }), seen('5511987654321'))
    const [stored] = await findContactsById(own.database, [{ accountId, id: last?.id ?? accountId }])
    expect(stored).toMatchObject({ name: 'Ana', userId: 'BR.1' })
  })
})

describe('the window', () => {
  const place = () => ({ accountId, channelId: newUuid(clock.now()), contactId: newUuid(clock.now()) })
  const open = (...inbound: Parameters<typeof openWindows>[2]) => own.database.transaction((tx) => openWindows(tx, clock.now(), inbound))
  const at = (ms: number) => new Date(clock.now().getTime() + ms)

  test('is counted from the newest message, whatever the order in which they come', async () => {
    const key = place()
    await open({ ...key, at: at(-5_000) }, { ...key, at: at(-1_000) }, { ...key, at: at(-3_000) })
    expect(await lastInboundOf(own.database, [key])).toEqual([at(-1_000)])
    await open({ ...key, at: at(-2_000) })
    expect(await lastInboundOf(own.database, [key])).toEqual([at(-1_000)])
  })

  test('never lies ahead of now, whatever clock upstream has', async () => {
    const key = place()
    await open({ ...key, at: at(3_600_000) })
    expect(await lastInboundOf(own.database, [key])).toEqual([clock.now()])
  })

  test('is of one channel and one person', async () => {
    const key = place()
    await open({ ...key, at: at(0) })
    const others = [{ ...key, channelId: newUuid(clock.now()) }, { ...key, contactId: newUuid(clock.now()) }, key]
    expect(await lastInboundOf(own.database, others)).toEqual([null, null, clock.now()])
  })
})

test.each([
  ['BR.1234567890', true],
  ['BR.ENT.1234567890', true],
  ['br.123', false],
  ['BRA.123', false],
  ['BR.', false],
  ['BR.12-3', false],
  [`BR.${'1'.repeat(129)}`, false],
  ['5511987654321', false],
])('%s is a user id: %s', (text, expected) => {
  expect(isUserId(text)).toBe(expected)
})
