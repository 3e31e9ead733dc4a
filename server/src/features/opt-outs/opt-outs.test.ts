import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts'
import { digits, sql } from '../../../test/support/stage.ts'
import { present } from '../../base/assert.ts'
import { manualClock } from '../../base/clock.ts'
import { newUuid, type Uuid } from '../../base/id.ts'
import { type Contact, createPeople, meetPeople, movePeople, type Recipient } from '../contacts/public.ts'
import { followPeople } from './follow.ts'
import { liftOptOuts, liftPersonsOptOut } from './lift.ts'
import { listOptOuts } from './list.ts'
import type { OptOutSource } from './opt-out.ts'
import { optPersonOut, setOptOuts } from './set.ts'
import { optedOutAmong } from './store.ts'

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
const people = (recipients: readonly Recipient[], livemode = true): Promise<Contact[]> =>
  own.database.transaction((tx) =>
    createPeople(
      tx,
      clock,
      recipients.map((recipient) => ({ accountId, livemode, recipient, name: null })),
    ),
  )
const person = async (text: string): Promise<Contact> => present((await people([phone(text)]))[0], 'one was asked for')
const set = (contacts: readonly { id: Uuid }[], source: OptOutSource = 'person') =>
  own.database.transaction((tx) =>
    setOptOuts(
      tx,
      { clock },
      contacts.map(({ id }) => ({ accountId, livemode: true, contactId: id, source })),
    ),
  )
const lift = (contacts: readonly { id: Uuid }[]) =>
  own.database.transaction((tx) =>
    liftOptOuts(
      tx,
      contacts.map(({ id }) => ({ accountId, contactId: id })),
    ),
  )
const among = (contacts: readonly { id: Uuid }[], of = accountId) =>
  optedOutAmong(
    own.database,
    contacts.map(({ id }) => ({ accountId: of, livemode: true, contactId: id })),
  )
const list = (limit = 100, startingAfter: Recipient | null = null, livemode = true) =>
  listOptOuts({ database: own.database }, { accountId, livemode, limit, startingAfter })

describe('setting and lifting in a transaction', () => {
  test('says for whom it changed anything, in the order asked, and who of a list has opted out is answered in its order', async () => {
    const [a, b, c] = (await people([phone('5511987650001'), phone('5511987650002'), phone('5511987650003')])) as [
      Contact,
      Contact,
      Contact,
    ]
    expect(await set([b])).toEqual([true])
    expect(await set([a, b, c])).toEqual([true, false, true])
    expect(await lift([c, b])).toEqual([true, true])
    expect(await lift([c, a])).toEqual([false, true])
    await set([b])
    expect(await among([c, b, a, b])).toEqual([false, true, false, true])
    expect(await among([])).toEqual([])
  })

  test('a person named twice is changed once: the first of the two', async () => {
    const a = await person('5511987650001')
    expect(await set([a, a])).toEqual([true, false])
    expect(await lift([a, a])).toEqual([true, false])
  })

  test('of a person named with two sources the first is kept', async () => {
    const { id } = await person('5511987650001')
    const wanted = (source: OptOutSource) => ({ accountId, livemode: true, contactId: id, source })
    await own.database.transaction((tx) => setOptOuts(tx, { clock }, [wanted('upstream'), wanted('keyword')]))
    expect((await list()).items.map(({ optOut }) => optOut.source)).toEqual(['upstream'])
  })

  // rule: opt-outs 2
  test('the first opt-out keeps its moment and source', async () => {
    const a = await person('5511987650001')
    await set([a], 'keyword')
    const before = (await list()).items
    clock.advance(60_000)
    await set([a], 'upstream')
    expect((await list()).items).toEqual(before)
  })

  test('a contact that is not there is passed over', async () => {
    expect(await set([{ id: newUuid(clock.now()) }])).toEqual([false])
    expect((await list()).items).toEqual([])
  })

  test('with the transaction rolled back nothing has changed', async () => {
    const a = await person('5511987650001')
    const failing = own.database.transaction(async (tx) => {
      await setOptOuts(tx, { clock }, [{ accountId, livemode: true, contactId: a.id, source: 'person' }])
      throw new Error('and then the notice could not be worked through')
    })
    await expect(failing).rejects.toThrow('could not be worked through')
    expect(await among([a])).toEqual([false])
  })

  test('another account is asked about the same person: not opted out', async () => {
    const a = await person('5511987650001')
    await set([a])
    expect(await among([a], newUuid(clock.now()))).toEqual([false])
  })

  test('two lists of the same people in opposite orders never wait for each other in a ring', async () => {
    const all = await people(Array.from({ length: 40 }, (_, i) => phone(`55119876500${10 + i}`)))
    const back = all.toReversed()
    for (let round = 0; round < 5; round += 1) {
      const [one, other] = await Promise.all([set(all), set(back)])
      expect(one.filter(Boolean).length + other.filter(Boolean).length).toBe(40)
      const [gone, goneToo] = await Promise.all([lift(back), lift(all)])
      expect(gone.filter(Boolean).length + goneToo.filter(Boolean).length).toBe(40)
    }
  })
})

describe('a person without a phone', () => {
  const userId: Recipient = { kind: 'user_id', userId: 'BR.abc123' }

  test('is opted out by user id once they are known, listed behind the phones, and the list goes on after them', async () => {
    const deps = { database: own.database, clock }
    expect(await optPersonOut(deps, { accountId, livemode: true, source: 'api', recipient: userId })).toMatchObject({ ok: false })
    const [first, second] = await people([userId, { kind: 'user_id', userId: 'BR.abd' }])
    await set([present(first, 'made'), present(second, 'made'), await person('5511987650001')])
    expect((await list()).items.map(({ contact }) => contact.phone || contact.userId)).toEqual(['5511987650001', 'BR.abc123', 'BR.abd'])
    expect((await list(100, userId)).items.map(({ contact }) => contact.userId)).toEqual(['BR.abd'])
    expect(await liftPersonsOptOut(deps, { accountId, livemode: true, recipient: userId })).toMatchObject({ ok: true })
    expect((await list(100, userId)).items).toHaveLength(1)
  })

  // rule: opt-outs 3
  test('whose phone becomes known later is listed once and shown with it, and the pages end', async () => {
    const [known] = await people([userId])
    await set([present(known, 'made'), await person('5511987650001'), await person('5511987650009')])
    await own.database.transaction((tx) =>
      meetPeople(tx, { clock, follow: followPeople }, [
        { accountId, livemode: true, waId: digits('5511987650005'), userId: 'BR.abc123', name: null },
      ]),
    )
    const seen: string[] = []
    for (let after: Recipient | null = null, pages = 0; pages < 10; pages += 1) {
      const page = await list(1, after)
      seen.push(...page.items.map(({ contact }) => contact.phone))
      if (!page.hasMore) break
      after = phone(present(seen.at(-1), 'a page has an item'))
    }
    expect(seen).toEqual(['5511987650001', '5511987650009', '5511987650005'])
    // The next opt-out puts the record where its phone belongs.
    expect(await set([present(known, 'made')])).toEqual([false])
    expect((await list()).items.map(({ contact }) => contact.phone)).toEqual(['5511987650001', '5511987650005', '5511987650009'])
  })
})

const mobile = fc.integer({ min: 60_000_000, max: 99_999_999 }).map(String)
const spelling = fc.record({ ninth: fc.boolean(), plus: fc.boolean(), spaced: fc.boolean() })
const spelled = (eight: string, how: { ninth: boolean; plus: boolean; spaced: boolean }) =>
  `${how.plus ? '+' : ''}55${how.spaced ? ' (11) ' : '11'}${how.ninth ? '9' : ''}${eight.slice(0, 4)}${how.spaced ? '-' : ''}${eight.slice(4)}`

// rule: opt-outs 1
test('whatever spellings a person is opted out and asked for by, it is one person: no ninth digit opens a hole', async () => {
  await fc.assert(
    fc.asyncProperty(mobile, fc.array(spelling, { minLength: 2, maxLength: 6 }), async (eight, spellings) => {
      accountId = newUuid(clock.now())
      const deps = { database: own.database, clock }
      const asked = (how: (typeof spellings)[number]) => ({ accountId, livemode: true, recipient: phone(spelled(eight, how)) })
      const answers = await Promise.all(spellings.map((each) => optPersonOut(deps, { ...asked(each), source: 'api' })))
      expect(answers.filter((each) => each.ok && each.value.made)).toHaveLength(1)
      expect((await list()).items.map(({ contact }) => contact.phone)).toEqual([`55119${eight}`])
      const contacts = await people(spellings.map((each) => asked(each).recipient))
      expect(await among(contacts)).toEqual(spellings.map(() => true))
      expect(await liftPersonsOptOut(deps, asked(present(spellings[0], 'at least two')))).toMatchObject({ ok: true })
      expect(await among(contacts)).toEqual(spellings.map(() => false))
    }),
    { numRuns: 25 },
  )
})

test('the database takes no source that the contract does not have', async () => {
  const text = `insert into marketing_opt_out (account_id, contact_id, livemode, person, source, created_at) values ($1, $1, true, '1', 'fax', now())`
  await expect(sql(own.database, text, [accountId])).rejects.toThrow('opt_out_source_is_known')
})

// rule: opt-outs 7
describe('of people who turn out to be one', () => {
  const joined = (text: string, userId: string) =>
    own.database.transaction((tx) =>
      meetPeople(tx, { clock, follow: followPeople }, [{ accountId, livemode: true, waId: digits(text), userId, name: null }]),
    )
  const two = async (): Promise<[byPhone: Contact, byUserId: Contact]> => [
    await person('5511987650001'),
    present((await people([{ kind: 'user_id', userId: 'BR.1' }]))[0], 'made'),
  ]

  test.each([
    ['the phone', [0]],
    ['the user id', [1]],
    ['both', [0, 1]],
    ['both, the other way round', [1, 0]],
  ])('whoever opted out under %s has opted out, and is listed once, under the phone', async (_which, order) => {
    const contacts = await two()
    for (const i of order) {
      await set([present(contacts[i], 'one of the two')], i === 0 ? 'api' : 'person')
      clock.advance(1_000)
    }
    const [one] = await joined('5511987650001', 'BR.1')
    expect(await among([present(one, 'met')])).toEqual([true])
    const { items } = await list()
    // The first one counts.
    expect(items).toMatchObject([
      { contact: { phone: '5511987650001', userId: 'BR.1' }, optOut: { source: order[0] === 0 ? 'api' : 'person' } },
    ])
    expect((await list(100, phone('5511987650001'))).items).toEqual([])
  })

  test('it may be set and lifted under the former id, and is the one person’s', async () => {
    const [byPhone, byUserId] = await two()
    await joined('5511987650001', 'BR.1')
    expect(await set([byUserId, byPhone])).toEqual([true, false])
    expect(await among([byPhone])).toEqual([true])
    expect(await lift([byPhone, byUserId])).toEqual([true, false])
    expect((await list()).items).toEqual([])
  })

  test('none is lost that is set while they are joined, and nobody is listed twice', async () => {
    for (let round = 0; round < 10; round += 1) {
      accountId = newUuid(clock.now())
      const contacts = await two()
      const deps = { database: own.database, clock }
      await Promise.all([
        joined('5511987650001', 'BR.1'),
        set([contacts[1]]),
        optPersonOut(deps, { accountId, livemode: true, source: 'api', recipient: phone('5511987650001') }),
      ])
      expect((await list()).items).toMatchObject([{ optOut: { contactId: contacts[0].id } }])
      expect(await among([contacts[0]])).toEqual([true])
    }
  })

  test('one moves to its place in the list when its person has another number', async () => {
    await set([await person('5511987650001'), await person('5511987650005')])
    const names = (text: string) => ({ waId: digits(text), userId: null })
    await own.database.transaction((tx) =>
      movePeople(tx, { clock, follow: followPeople }, [
        { accountId, livemode: true, at: clock.now(), before: names('5511987650001'), after: names('5511987650009') },
      ]),
    )
    expect((await list()).items.map(({ contact }) => contact.phone)).toEqual(['5511987650005', '5511987650009'])
  })
})
