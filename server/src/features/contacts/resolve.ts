import { present } from '../../base/assert.ts'
import type { Clock } from '../../base/clock.ts'
import { newUuid, type Uuid } from '../../base/id.ts'
import { canonicalPhone } from '../../base/phone.ts'
import type { Queries, Tx } from '../../platform/database/database.ts'
import { type Contact, type ContactKey, keyOf, type Recipient } from './contact.ts'
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

export type PersonToCreate = PersonWanted & { name: string | null; waId: string | null; userId: string | null }

/**
 * Creates people nobody has yet, once each however often they are named, and answers the person behind each, in the order
 * asked: the one that another transaction created meanwhile, where it was faster.
 */
export async function createPeople(tx: Tx, clock: Clock, wanted: readonly PersonToCreate[]): Promise<Contact[]> {
  if (wanted.length === 0) return []
  const now = clock.now()
  const fresh = new Map<string, NewContact>()
  for (const each of wanted) {
    const key = keyOf(each.recipient)
    const name = placeOf(each, key)
    if (!fresh.has(name)) fresh.set(name, newContact(each, key, now))
  }
  const created = await insertContacts(tx, [...fresh.values()])
  const people = wanted.map((each) => fresh.get(placeOf(each, keyOf(each.recipient))))
  if (created.size === fresh.size) return people.map((person) => present(person, 'each was made above'))
  const known = await findPeople(tx, wanted)
  return known.map((person) => present(person, 'a key that could not be inserted is there'))
}

const placeOf = (wanted: PersonWanted, key: ContactKey) => `${wanted.accountId} ${wanted.livemode} ${key}`

function newContact(wanted: PersonToCreate, key: ContactKey, now: Date): NewContact {
  const { recipient } = wanted
  return {
    accountId: wanted.accountId,
    livemode: wanted.livemode,
    id: newUuid(now),
    key,
    phone: recipient.kind === 'phone' ? canonicalPhone(recipient.digits) : '',
    waId: wanted.waId,
    userId: recipient.kind === 'user_id' ? recipient.userId : wanted.userId,
    name: wanted.name,
    createdAt: now,
  }
}
