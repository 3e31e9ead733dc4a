import { present } from '../../base/assert.ts'
import type { Clock } from '../../base/clock.ts'
import { newUuid, type Uuid } from '../../base/id.ts'
import { canonicalPhone } from '../../base/phone.ts'
import type { Queries, Tx } from '../../platform/database/database.ts'
import { type Contact, type ContactKey, keyOf, placeOf, type Recipient } from './contact.ts'
import { claimKeys } from './key-store.ts'
import { findContactsByKey, insertContacts, type NewContact } from './store.ts'

export type PersonWanted = { accountId: Uuid; livemode: boolean; recipient: Recipient }

/** The person behind each recipient, in the order asked; null for one that is not known. */
export async function findPeople(queries: Queries, wanted: readonly PersonWanted[]): Promise<(Contact | null)[]> {
  const found: (Contact | null)[] = wanted.map(() => null)
  if (wanted.length === 0) return found
  const rows = await findContactsByKey(
    queries,
    wanted.map((each) => ({ accountId: each.accountId, livemode: each.livemode, key: keyOf(each.recipient) })),
  )
  for (const row of rows) found[row.ord - 1] = row
  return found
}

export type PersonToCreate = PersonWanted & { name: string | null }

/**
 * Creates people nobody has yet, once each however often they are named, and answers the person behind each, in the order
 * asked: the one that another transaction created meanwhile, where it was faster.
 */
export async function createPeople(tx: Tx, clock: Clock, wanted: readonly PersonToCreate[]): Promise<Contact[]> {
  if (wanted.length === 0) return []
  const now = clock.now()
  const fresh = new Map<string, NewContact & { key: ContactKey }>()
  for (const each of wanted) {
    const key = keyOf(each.recipient)
    const place = placeOf(each, key)
    if (!fresh.has(place)) fresh.set(place, { ...newContact(each, now), key })
  }
  const free = await claimKeys(
    tx,
    [...fresh.values()].map((each) => ({ ...each, contactId: each.id })),
  )
  // The key decides who creates the person: whoever did not get it reads the winner in a later statement.
  await insertContacts(
    tx,
    [...fresh].flatMap(([place, person]) => (free.has(place) ? [person] : [])),
  )
  const people = wanted.map((each) => fresh.get(placeOf(each, keyOf(each.recipient))))
  if (free.size === fresh.size) return people.map((person) => present(person, 'each was made above'))
  const known = await findPeople(tx, wanted)
  return known.map((person) => present(person, 'a key that could not be inserted is there'))
}

function newContact(wanted: PersonToCreate, now: Date): NewContact {
  const { recipient } = wanted
  return {
    accountId: wanted.accountId,
    livemode: wanted.livemode,
    id: newUuid(now),
    phone: recipient.kind === 'phone' ? canonicalPhone(recipient.digits) : '',
    waId: null,
    userId: recipient.kind === 'user_id' ? recipient.userId : null,
    name: wanted.name,
    formerIds: [],
    createdAt: now,
  }
}
