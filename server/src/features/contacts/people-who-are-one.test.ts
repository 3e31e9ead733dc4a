import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts'
import { digits, sql } from '../../../test/support/stage.ts'
import { present } from '../../base/assert.ts'
import { manualClock } from '../../base/clock.ts'
import { createGroups } from '../../base/groups.ts'
import { newUuid, type Uuid } from '../../base/id.ts'
import type { Tx } from '../../platform/database/database.ts'
import { type Contact, idsOf, keyOf, type PersonNames, recipientOf } from './contact.ts'
import {
  createPeople,
  findContactsById,
  findPeople,
  lastInboundOf,
  learnFromAnswers,
  meetPeople,
  movePeople,
  openWindows,
  type PersonChange,
  type PersonMove,
} from './public.ts'

const clock = manualClock('2026-03-02T12:00:00.000Z')
const channelId = newUuid(clock.now())
let own: TestDatabase
let accountId: Uuid
let followed: PersonChange[]

beforeAll(async () => {
  own = await testDatabase()
})
afterAll(() => own.close())
beforeEach(() => {
  accountId = newUuid(clock.now())
  followed = []
})

const deps = {
  clock,
  follow: async (_tx: Tx, changes: readonly PersonChange[]) => {
    followed.push(...changes)
  },
}
const at = (seconds: number) => new Date(clock.now().getTime() + seconds * 1_000)
const names = (waId: string | null, userId: string | null = null): PersonNames => ({ waId: waId === null ? null : digits(waId), userId })
const place = () => ({ accountId, livemode: true })
const within = <Value>(work: (tx: Tx) => Promise<Value>) => own.database.transaction(work)

/** A notice of somebody with these names. */
const meet = async (who: PersonNames, more: { name?: string; at?: Date; of?: Uuid } = {}): Promise<Contact> => {
  const seen = { ...place(), ...who, name: more.name ?? null, ...(more.at === undefined ? {} : { at: more.at }) }
  return present((await within((tx) => meetPeople(tx, deps, [seen])))[0], 'somebody with a name')
}
const learn = (input: string, waId: string | null, userId: string | null = null) =>
  within((tx) => learnFromAnswers(tx, deps, [{ ...place(), input, waId, userId, at: clock.now() }]))
const move = (before: PersonNames, after: PersonNames, seconds = 0): Promise<Contact[]> =>
  within((tx) => movePeople(tx, deps, [{ ...place(), at: at(seconds), before, after }]))
const find = async (name: string): Promise<Contact | null> =>
  (await findPeople(own.database, [{ ...place(), recipient: present(recipientOf(name), 'a phone or a user id') }]))[0] ?? null
const byId = async (id: Uuid) => (await findContactsById(own.database, [{ accountId, id }]))[0]
const write = (contact: Contact, when: Date, channel = channelId) =>
  within((tx) => openWindows(tx, clock.now(), [{ accountId, channelId: channel, contactId: contact.id, at: when }]))
const lastInbound = async (contact: Contact | null, channel = channelId) =>
  (await lastInboundOf(own.database, [{ accountId, channelId: channel, contactId: present(contact, 'a person').id }]))[0]

const [ana, ana2, bia] = ['5511987654321', '5511987654399', '5521987654321']

// rule: people 4
describe('two people who turn out to be one', () => {
  test('by a notice that has the phone of one and the user id of the other are the older one', async () => {
    const byPhone = await meet(names(ana), { name: 'Ana' })
    const byUserId = await meet(names(null, 'BR.1'))
    const one = await meet(names(ana, 'BR.1'))
    expect(one).toMatchObject({ id: byPhone.id, phone: ana, waId: ana, userId: 'BR.1', name: 'Ana', formerIds: [byUserId.id] })
    expect(await byId(byUserId.id)).toMatchObject({ id: byPhone.id, userId: 'BR.1' })
    expect([(await find(ana))?.id, (await find('BR.1'))?.id]).toEqual([byPhone.id, byPhone.id])
  })

  test('are the older one whichever name it was known by, and it gets the phone of the other', async () => {
    const byUserId = await meet(names(null, 'BR.1'), { name: 'Ana' })
    const byPhone = await meet(names(ana))
    expect(await meet(names(ana, 'BR.1'), { name: 'Ana Maria' })).toMatchObject({ id: byUserId.id, phone: ana, name: 'Ana Maria' })
    expect(await byId(byPhone.id)).toMatchObject({ id: byUserId.id, phone: ana, name: 'Ana Maria' })
  })

  test('by the answer to a send whose digits are of one and whose wa_id is of the other', async () => {
    const dialled = await meet(names('4915112345678'))
    const answering = await meet(names('4915112345679', 'DE.1'))
    await learn('4915112345678', '4915112345679', 'DE.1')
    expect((await byId(answering.id))?.id).toBe(dialled.id)
    expect(await find('DE.1')).toMatchObject({ id: dialled.id, waId: '4915112345679', userId: 'DE.1' })
  })

  test('by a user id that a group of businesses shares', async () => {
    const first = await meet({ ...names(null, 'BR.1'), parentUserId: 'BR.ENT.1' })
    expect(await meet({ ...names(ana, 'BR.2'), parentUserId: 'BR.ENT.1' })).toMatchObject({ id: first.id, phone: ana })
    expect((await find('BR.ENT.1'))?.id).toBe(first.id)
  })

  test('have one window for each number: the newest of both, also while a notice is still at work under the former id', async () => {
    const other = newUuid(clock.now())
    const [byPhone, byUserId] = [await meet(names(ana)), await meet(names(null, 'BR.1'))]
    await write(byPhone, at(-50))
    await write(byUserId, at(-10))
    await write(byPhone, at(-20), other)
    const one = await meet(names(ana, 'BR.1'))
    expect([await lastInbound(one), await lastInbound(one, other)]).toEqual([at(-10), at(-20)])
    await write(byUserId, at(-5))
    expect(await lastInbound(one)).toEqual(at(-5))
  })

  test('are told of once to those who keep something by contact', async () => {
    const [byPhone, byUserId] = [await meet(names(ana)), await meet(names(null, 'BR.1'))]
    await meet(names(ana, 'BR.1'))
    await meet(names(ana, 'BR.1'))
    expect(followed).toMatchObject([{ accountId, livemode: true, person: { id: byPhone.id, phone: ana }, joined: [byUserId.id] }])
  })

  test('stay two in another account and mode', async () => {
    const test = await within((tx) => meetPeople(tx, deps, [{ ...names(null, 'BR.1'), accountId, livemode: false, name: null }]))
    const live = await meet(names(ana))
    expect((await meet(names(ana, 'BR.1'))).formerIds).toEqual([])
    expect((await byId(present(test[0], 'met').id))?.id).not.toBe(live.id)
  })

  test('may be many, one after the other: everybody leads to the oldest in one step', async () => {
    const all = [await meet(names(ana)), await meet(names(null, 'BR.1')), await meet(names(bia)), await meet(names(null, 'BR.2'))]
    await meet(names(bia, 'BR.2'))
    await meet(names(ana, 'BR.1'))
    await meet({ ...names(ana, null), parentUserId: 'BR.2' })
    expect(idsOf(present(await find(bia), 'known'))).toEqual(all.map((each) => each.id))
    const ends = await sql(own.database, 'select distinct merged_into from contact where account_id = $1 and merged_into is not null', [
      accountId,
    ])
    expect(ends).toEqual([{ merged_into: all[0]?.id }])
  })

  test('within one batch', async () => {
    const [first, second] = [await meet(names(ana)), await meet(names(null, 'BR.1'))]
    const seen = [names(null, 'BR.1'), names(ana, 'BR.2'), names(ana, 'BR.1'), names(null, 'BR.2'), names(bia)]
    const met = await within((tx) =>
      meetPeople(
        tx,
        deps,
        seen.map((each) => ({ ...place(), ...each, name: null })),
      ),
    )
    expect(met.slice(0, 4).map((each) => each?.id)).toEqual([first.id, first.id, first.id, first.id])
    expect(met[4]?.id).not.toBe(first.id)
    expect((await byId(second.id))?.id).toBe(first.id)
  })
})

// rule: people 5
describe('a person who has another number', () => {
  test('is shown and addressed by it; the old one still leads to them', async () => {
    const before = await meet(names(ana), { name: 'Ana' })
    expect(await move(names(ana), names(bia))).toMatchObject([{ id: before.id, phone: bia, waId: bia, name: 'Ana' }])
    expect(await find(bia)).toMatchObject({ id: before.id, phone: bia, waId: bia })
    expect(await find(ana)).toMatchObject({ id: before.id, phone: bia })
    expect(followed).toMatchObject([{ person: { id: before.id, phone: bia }, joined: [] }])
  })

  test('has another user id too, and the old one is an alias', async () => {
    const before = await meet(names(ana, 'BR.1'))
    await move(names(ana, 'BR.1'), names(bia, 'BR.2'))
    await meet(names(ana, 'BR.1'), { at: at(-1) })
    expect(await find('BR.1')).toMatchObject({ id: before.id, phone: bia, waId: bia, userId: 'BR.2' })
    expect((await find('BR.2'))?.id).toBe(before.id)
  })

  test('and wrote from it before the change was told is one person', async () => {
    const before = await meet(names(ana))
    const after = await meet(names(bia, 'BR.2'))
    await move(names(ana), names(bia))
    expect(await find('BR.2')).toMatchObject({ id: before.id, phone: bia, waId: bia, formerIds: [after.id] })
  })

  test('may be told of before anything else of theirs', async () => {
    const [moved] = await move(names(ana, 'BR.1'), names(bia, 'BR.2'))
    expect(moved).toMatchObject({ phone: bia, userId: 'BR.2' })
    expect((await meet(names(ana, 'BR.1'), { at: at(-5) })).id).toBe(moved?.id)
  })

  test('changes that are told late, or again, do not turn the newest back', async () => {
    await meet(names(ana))
    await move(names(ana2), names(bia), 20)
    await move(names(ana), names(ana2), 10)
    await move(names(ana), names(ana2), 10)
    const person = await find(ana)
    expect(person).toMatchObject({ phone: bia, waId: bia })
    expect([(await find(ana2))?.id, (await find(bia))?.id]).toEqual([person?.id, person?.id])
  })

  test('and goes back to the old one is shown by the old one', async () => {
    await meet(names(ana))
    await move(names(ana), names(bia), 10)
    await move(names(bia), names(ana), 20)
    await move(names(ana), names(bia), 10)
    expect(await find(bia)).toMatchObject({ phone: ana, waId: ana })
  })

  test('several changes of one batch come in the order of their time', async () => {
    const moves: PersonMove[] = [
      { ...place(), at: at(20), before: names(ana2), after: names(bia) },
      { ...place(), at: at(10), before: names(ana), after: names(ana2) },
    ]
    const moved = await within((tx) => movePeople(tx, deps, moves))
    expect(moved.map((each) => each.id)).toEqual([(await find(ana))?.id, (await find(ana))?.id])
    expect(await find(ana)).toMatchObject({ phone: bia })
  })

  test('is still found by a message that they sent from the old number and that comes late', async () => {
    const before = await meet(names(ana))
    await move(names(ana), names(bia), 10)
    expect((await meet(names(ana, 'BR.1'), { at: at(5) })).id).toBe(before.id)
    expect((await meet(names(ana), { at: at(20) })).id).toBe(before.id)
  })
})

// rule: people 5
describe('a number that somebody else has got', () => {
  /** Ana had it, went away, and Caio writes from it. */
  const newOwner = async () => {
    const first = await meet(names(ana, 'BR.1'), { name: 'Ana' })
    await move(names(ana, 'BR.1'), names(bia, 'BR.2'), 10)
    const second = await meet(names(ana, 'BR.9'), { name: 'Caio', at: at(100) })
    return { first, second }
  }

  test('is theirs as soon as they write from it with another user id, and nothing of the first person is', async () => {
    const { first, second } = await newOwner()
    expect(second).toMatchObject({ phone: ana, waId: ana, userId: 'BR.9', name: 'Caio', formerIds: [] })
    expect(second.id).not.toBe(first.id)
    expect((await find(ana))?.id).toBe(second.id)
    expect(await byId(first.id)).toMatchObject({ phone: bia, waId: bia, userId: 'BR.2', name: 'Ana' })
    expect(await lastInbound(second)).toBeNull()
  })

  test('is theirs also where they were known before by their user id', async () => {
    const known = await meet(names(null, 'BR.9'))
    const { first, second } = await newOwner()
    expect(second).toMatchObject({ id: known.id, phone: ana })
    expect((await byId(first.id))?.id).toBe(first.id)
  })

  test('joins nobody when all that was told is told once more', async () => {
    const { first, second } = await newOwner()
    await meet(names(ana, 'BR.1'), { at: at(0) })
    await move(names(ana, 'BR.1'), names(bia, 'BR.2'), 10)
    await meet(names(ana, 'BR.9'), { at: at(100) })
    expect(await byId(first.id)).toMatchObject({ id: first.id, phone: bia, waId: bia, userId: 'BR.2' })
    expect(await byId(second.id)).toMatchObject({ id: second.id, phone: ana, waId: ana, userId: 'BR.9' })
    expect((await find(ana))?.id).toBe(second.id)
  })

  test('is not what the first person is addressed by any more', async () => {
    const first = await meet(names(ana, 'BR.1'))
    // Their new number is not told, only that they left this one.
    await move(names(ana), names(null, 'BR.2'), 10)
    await meet(names(ana, 'BR.9'), { at: at(100) })
    expect(await byId(first.id)).toMatchObject({ waId: null, userId: 'BR.2' })
  })

  test('may be left by its second person too', async () => {
    const { first, second } = await newOwner()
    await move(names(ana, 'BR.9'), names(ana2, 'BR.10'), 200)
    expect(await byId(second.id)).toMatchObject({ id: second.id, phone: ana2, userId: 'BR.10' })
    expect((await byId(first.id))?.id).toBe(first.id)
  })
})

describe('at once', () => {
  test('two joins of one person from both sides end as one, and neither is refused', async () => {
    for (let round = 0; round < 10; round += 1) {
      accountId = newUuid(clock.now())
      const all = [await meet(names(ana)), await meet(names(null, 'BR.1')), await meet(names(bia, 'BR.2'))]
      await Promise.all([
        meet(names(ana, 'BR.1')),
        meet({ ...names(null, 'BR.2'), parentUserId: 'BR.1' }),
        learn(bia, ana),
        meet(names(ana, 'BR.2')),
      ])
      expect(idsOf(present(await find('BR.1'), 'known'))).toEqual(all.map((each) => each.id))
    }
  })

  test('a new person whose names come one by one from two transactions is one person', async () => {
    for (let round = 0; round < 10; round += 1) {
      accountId = newUuid(clock.now())
      const met = await Promise.all([
        meet(names(ana)),
        meet(names(null, 'BR.1')),
        meet(names(ana, 'BR.1')),
        within((tx) => createPeople(tx, clock, [{ ...place(), recipient: { kind: 'phone', digits: digits(ana) }, name: null }])),
      ])
      const one = await find(ana)
      expect((await find('BR.1'))?.id).toBe(one?.id)
      for (const contact of met.flat()) expect((await byId(contact.id))?.id).toBe(one?.id)
    }
  })
})

/** What can be told of the people of the model, in any order. Person n has the phones n0, n1 … one after the other, each with a user id. */
type Fact =
  | { kind: 'meet'; person: number; period: number; phone: boolean; userId: boolean }
  | { kind: 'learn'; person: number; period: number }
  | { kind: 'move'; person: number; period: number; userIds: boolean }
  | { kind: 'send'; person: number; period: number }

const phoneOf = (person: number, period: number) => `55119${80 + person}0000${period}0`
const aliasOf = (person: number, period: number) => `4915${80 + person}00000${period}0`
const userIdOf = (person: number, period: number) => `BR.p${person}u${period}`
const periodSeconds = 100

const person = fc.integer({ min: 0, max: 2 })
const period = fc.integer({ min: 0, max: 2 })
const fact: fc.Arbitrary<Fact> = fc.oneof(
  fc.record({ kind: fc.constant('meet' as const), person, period, phone: fc.boolean(), userId: fc.boolean() }),
  fc.record({ kind: fc.constant('learn' as const), person, period }),
  fc.record({ kind: fc.constant('move' as const), person, period: fc.integer({ min: 0, max: 1 }), userIds: fc.boolean() }),
  fc.record({ kind: fc.constant('send' as const), person, period }),
)

/** The names that a fact says are one person's. */
function namesOf(each: Fact): string[] {
  const [phone, userId] = [phoneOf(each.person, each.period), userIdOf(each.person, each.period)]
  switch (each.kind) {
    case 'meet':
      return [...(each.phone || !each.userId ? [phone] : []), ...(each.userId ? [userId] : [])]
    case 'learn':
      return [aliasOf(each.person, each.period), phone, userId]
    case 'send':
      return [phone]
    case 'move': {
      const next = [phoneOf(each.person, each.period + 1), ...(each.userIds ? [userIdOf(each.person, each.period + 1)] : [])]
      return [phone, ...(each.userIds ? [userId] : []), ...next]
    }
  }
}

/** Tells the gateway the fact and answers whom it took that for. */
async function tell(tx: Tx, each: Fact): Promise<Contact | null> {
  const [phone, userId] = [phoneOf(each.person, each.period), userIdOf(each.person, each.period)]
  const seenAt = at(each.period * periodSeconds + 50)
  const all = namesOf(each)
  switch (each.kind) {
    case 'meet': {
      const who = names(all.includes(phone) ? phone : null, all.includes(userId) ? userId : null)
      const [met] = await meetPeople(tx, deps, [{ ...place(), ...who, name: null, at: seenAt }])
      return met ?? null
    }
    case 'learn':
      await learnFromAnswers(tx, deps, [{ ...place(), input: aliasOf(each.person, each.period), waId: phone, userId, at: seenAt }])
      return null
    case 'send': {
      const recipient = { kind: 'phone' as const, digits: digits(phone) }
      const [known] = await findPeople(tx, [{ ...place(), recipient }])
      return known ?? (await createPeople(tx, clock, [{ ...place(), recipient, name: null }]))[0] ?? null
    }
    case 'move': {
      const [before, after] = [each.period, each.period + 1].map((n) =>
        names(phoneOf(each.person, n), each.userIds ? userIdOf(each.person, n) : null),
      ) as [PersonNames, PersonNames]
      const [moved] = await movePeople(tx, deps, [
        { ...place(), at: at(after === null ? 0 : (each.period + 1) * periodSeconds), before, after },
      ])
      return moved ?? null
    }
  }
}

/** Which names are one person's when all of it is true. */
function expectedGroups(facts: readonly Fact[]): string[][] {
  const groups = createGroups()
  const all = new Set(facts.flatMap(namesOf))
  for (const each of facts) for (const name of namesOf(each)) groups.join(present(namesOf(each)[0], 'each has a name'), name)
  return [...Map.groupBy(all, (name) => groups.of(name)).values()].map((group) => group.toSorted()).toSorted()
}

async function foundGroups(facts: readonly Fact[]): Promise<string[][]> {
  const all = [...new Set(facts.flatMap(namesOf))]
  const found = await findPeople(
    own.database,
    all.map((name) => ({ ...place(), recipient: present(recipientOf(name), 'a name') })),
  )
  const ids = new Map(all.map((name, i) => [name, present(found[i], `nobody has ${name}`).id]))
  return [...Map.groupBy(all, (name) => ids.get(name)).values()].map((group) => group.toSorted()).toSorted()
}

/** Whom each fact was taken for, and when that person wrote: all of it must be found again. */
type Witness = { contact: Contact; name: string; wroteAt: Date }

async function checkWitnesses(witnesses: readonly Witness[]): Promise<void> {
  for (const { contact, name } of witnesses) {
    const today = present(await find(name), `nobody has ${name}`)
    expect(idsOf(today)).toContain(contact.id)
    expect((await byId(contact.id))?.id).toBe(today.id)
    const all = witnesses.filter((each) => idsOf(today).includes(each.contact.id)).map((each) => each.wroteAt.getTime())
    expect((await lastInbound(today))?.getTime()).toBe(Math.max(...all))
  }
}

/** Ends where no lock is: nobody leads to somebody who leads on, and no number has changed hands. */
async function checkPointers(): Promise<void> {
  const wrong = await sql(
    own.database,
    `select younger.id from contact younger join contact older on older.account_id = younger.account_id and older.id = younger.merged_into
      where younger.account_id = $1 and older.merged_into is not null
    union all select contact_id from contact_key where account_id = $1 and taken_at is not null`,
    [accountId],
  )
  expect(wrong).toEqual([])
}

const keysOfAccount = () => sql(own.database, 'select key from contact_key where account_id = $1 order by key', [accountId])

describe('whatever is told of people, in whatever order', () => {
  let told = 0
  const witnessed = async (each: Fact): Promise<Witness[]> => {
    told += 1
    const wroteAt = at(-10_000 + told)
    const contact = await within(async (tx) => {
      const taken = await tell(tx, each)
      if (taken !== null) await openWindows(tx, clock.now(), [{ accountId, channelId, contactId: taken.id, at: wroteAt }])
      return taken
    })
    return contact === null ? [] : [{ contact, name: present(namesOf(each)[0], 'each has a name'), wroteAt }]
  }
  const start = () => {
    accountId = newUuid(clock.now())
    told = 0
  }

  test('they are the same people in the end; no name and nothing that was written is lost', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fact, { minLength: 1, maxLength: 12 }), async (facts) => {
        start()
        const witnesses: Witness[] = []
        for (const each of facts) witnesses.push(...(await witnessed(each)))
        expect(await foundGroups(facts)).toEqual(expectedGroups(facts))
        expect(await keysOfAccount()).toHaveLength(
          new Set(facts.flatMap(namesOf).map((name) => keyOf(present(recipientOf(name), 'a name')))).size,
        )
        await checkWitnesses(witnesses)
        await checkPointers()
      }),
      { numRuns: 40 },
    )
  })

  test('also from several transactions at once, none of which fails', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fact, { minLength: 2, maxLength: 10 }), async (facts) => {
        start()
        const witnesses = (await Promise.all(facts.map(witnessed))).flat()
        expect(await foundGroups(facts)).toEqual(expectedGroups(facts))
        await checkWitnesses(witnesses)
        await checkPointers()
      }),
      { numRuns: 40 },
    )
  })

  test('they are shown by the newest number that was told', async () => {
    const chain: Fact[] = [
      { kind: 'move', person: 0, period: 0, userIds: true },
      { kind: 'move', person: 0, period: 1, userIds: true },
      { kind: 'meet', person: 0, period: 0, phone: true, userId: true },
      { kind: 'meet', person: 0, period: 2, phone: true, userId: true },
      { kind: 'meet', person: 0, period: 1, phone: true, userId: false },
    ]
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(chain, { minLength: chain.length }), async (facts) => {
        start()
        for (const each of facts) await witnessed(each)
        const person = await find(phoneOf(0, 0))
        expect(person).toMatchObject({ phone: phoneOf(0, 2), waId: phoneOf(0, 2), userId: userIdOf(0, 2) })
      }),
      { numRuns: 40 },
    )
  })
})
