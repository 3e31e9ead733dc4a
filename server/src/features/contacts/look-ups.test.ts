import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts'
import { digits, newStage } from '../../../test/support/stage.ts'
import { manualClock } from '../../base/clock.ts'
import type { Tx } from '../../platform/database/database.ts'
import { type Contact, phoneKey } from './contact.ts'
import { findKeys } from './key-store.ts'
import { createPeople, findPeople } from './resolve.ts'
import { findContactsById } from './store.ts'
import { lastInboundOf, openWindows } from './window.ts'

let own: TestDatabase
beforeAll(async () => {
  own = await testDatabase()
})
afterAll(() => own.close())

const peopleCount = 10_000
const askedCount = 200
/** A plan that reads all people of the account for each one asked takes many seconds. */
const msMax = 1_000

// A plan is made once for each connection, and may be made while there is hardly anybody.
test('the time of a look-up does not grow with the people of the account, though its plan was made when there was one', async () => {
  const clock = manualClock(new Date().toISOString())
  const { accountId, channelId } = await newStage(own.database, clock)
  const phones = Array.from({ length: peopleCount }, (_, i) => digits(`55119${80_000_000 + i}`))
  const wanted = phones.map((phone) => ({ accountId, livemode: true, recipient: { kind: 'phone' as const, digits: phone }, name: null }))
  const people: Contact[] = []
  const make = async (tx: Tx, count: number) => {
    const made = await createPeople(tx, clock, wanted.slice(people.length, people.length + count))
    await openWindows(
      tx,
      clock.now(),
      made.map((each) => ({ accountId, channelId, contactId: each.id, at: clock.now() })),
    )
    people.push(...made)
  }
  const lookUp = async (tx: Tx) => {
    const asked = people.slice(0, askedCount)
    const startedMs = performance.now()
    await findPeople(tx, wanted.slice(0, askedCount))
    await findKeys(
      tx,
      phones.slice(0, askedCount).map((phone) => ({ accountId, livemode: true, key: phoneKey(phone) })),
    )
    await findContactsById(
      tx,
      asked.map(({ id }) => ({ accountId, id })),
    )
    const windows = await lastInboundOf(
      tx,
      asked.map(({ id }) => ({ accountId, channelId, contactId: id })),
    )
    expect(windows).toEqual(asked.map(() => clock.now()))
    return performance.now() - startedMs
  }
  // One transaction is one connection.
  await own.database.transaction(async (tx) => {
    await make(tx, 1)
    await lookUp(tx)
    while (people.length < peopleCount) await make(tx, 1_000)
    expect(await lookUp(tx)).toBeLessThan(msMax)
  })
})
