import { present } from '../../base/assert.ts'
import type { Clock } from '../../base/clock.ts'
import { newUuid, type Uuid } from '../../base/id.ts'
import { canonicalPhone, type Digits } from '../../base/phone.ts'
import type { Tx } from '../../platform/database/database.ts'
import { type Contact, type KnownKey, type Profile, phoneKey, placeOf, userIdKey } from './contact.ts'
import { joinPeople } from './join.ts'
import { claimKeys, findKeys, type KeyPlace, lockPeople } from './key-store.ts'
import { type Evidence, type Told, whoIsWho } from './rules.ts'
import { insertContacts, type NewContact, updateLearntContacts } from './store.ts'

/** People of whom something is changed that others keep by contact: two who are one, or somebody with another phone. */
export type PersonChange = {
  accountId: Uuid
  livemode: boolean
  /** As they are now. */
  person: Contact
  /** The ids of those who were joined to them just now; all that is kept under these is theirs. */
  joined: readonly Uuid[]
}

/** Lets later features bring what they keep by contact along, in the same transaction. The people are locked until commit. */
export type FollowPeople = (tx: Tx, changes: readonly PersonChange[]) => Promise<void>

export type PeopleDeps = { clock: Clock; follow: FollowPeople }

/** Evidence with what it tells of how the person is called. `isOld`: told before others that may be known already. */
export type Description = Evidence & { waId: Digits | null; userId: string | null; name: string | null; isOld?: boolean }

/** A first look, one more because somebody else was faster with a key, one more under the lock, and one to spare. */
const looksMax = 4

/**
 * The person behind each description, in the order asked. Who is not known is made; who turns out to be one is joined; and what a description
 * tells beyond that is remembered: a further key, the profile name. Each description has a key.
 *
 * Locks in this order, and so never in a ring: keys that nobody has are claimed; then, only where people are joined or a number changes
 * hands, the lock on the people of that account; then the rows of people. Asked a second time in one transaction it starts over with keys:
 * then two transactions may wait for each other, which PostgreSQL sees and whose work is repeated.
 */
export async function identify(tx: Tx, deps: PeopleDeps, described: readonly Description[]): Promise<Contact[]> {
  if (described.length === 0) return []
  let locked = false
  for (let look = 1; look <= looksMax; look += 1) {
    const known = await findKeys(tx, placesOf(described))
    const people = whoIsWho(described, known)
    const created = await claim(tx, deps.clock, described, people)
    if (created === null) continue
    const changing = people.filter((each) => each.holders.length > 1 || each.taken.length > 0)
    if (changing.length === 0) return learn(tx, described, people, created)
    if (locked) return change(tx, deps, { described, people, known })
    await lockPeople(tx, changing)
    locked = true
  }
  throw new Error('bug: who these people are was not settled')
}

const placesOf = (described: readonly Description[]): KeyPlace[] => {
  const places = described.flatMap((each) => each.keys.map((key) => ({ accountId: each.accountId, livemode: each.livemode, key })))
  return [...new Map(places.map((each) => [placeOf(each, each.key), each])).values()]
}

/**
 * Claims the keys that nobody has and makes the people whom nobody holds. Answers those who were made, by the first of their members; null:
 * somebody else was faster with one of the keys, so who these people are must be looked at again.
 */
async function claim(tx: Tx, clock: Clock, described: readonly Description[], people: readonly Told[]): Promise<Map<Told, Contact> | null> {
  const fresh = people.filter((each) => each.holders.length === 0).map((each) => newContact(clock.now(), described, each))
  const ids = new Map(fresh.map((each) => [each.told, each.contact.id]))
  const wanted = people.flatMap((each) => {
    const contactId = present(each.holders[0]?.id ?? ids.get(each), 'each person is known or made')
    return each.unknown.map((key) => ({ accountId: each.accountId, livemode: each.livemode, key, contactId }))
  })
  const won = await claimKeys(tx, wanted)
  const used = new Set(wanted.filter((each) => won.has(placeOf(each, each.key))).map((each) => each.contactId))
  const made = fresh.filter(({ contact }) => used.has(contact.id))
  await insertContacts(
    tx,
    made.map((each) => each.contact),
  )
  return won.size === wanted.length ? new Map(made.map((each) => [each.told, each.contact])) : null
}

function newContact(now: Date, described: readonly Description[], told: Told): { told: Told; contact: NewContact } {
  const { accountId, livemode } = told
  return { told, contact: { ...profileTold(described, told), accountId, livemode, id: newUuid(now), formerIds: [], createdAt: now } }
}

/** What the descriptions of one person tell, the later ones first, of names that are theirs today. */
function profileTold(described: readonly Description[], { members, current, holders }: Told): Profile {
  const told = members.map((i) => present(described[i], 'members are places of the list')).toReversed()
  const waId = told.find((each) => each.waId !== null && current.has(phoneKey(each.waId)))?.waId ?? null
  const userId = told.find((each) => each.userId !== null && current.has(userIdKey(each.userId)))?.userId ?? null
  const name = told.find((each) => each.name !== null)?.name ?? null
  const profile = { phone: waId === null ? '' : canonicalPhone(waId), waId, userId, name }
  return told.every((each) => each.isOld === true) ? whatIsMissing(profile, holders) : profile
}

/** rule: receive 20. What is known came later than what an old description says. */
function whatIsMissing({ phone, waId, userId, name }: Profile, known: readonly Contact[]): Profile {
  const lacks = (of: 'waId' | 'userId' | 'name') => known.every((each) => each[of] === null)
  return {
    phone: known.every((each) => each.phone === '') ? phone : '',
    waId: lacks('waId') ? waId : null,
    userId: lacks('userId') ? userId : null,
    name: lacks('name') ? name : null,
  }
}

/** Remembers what was told of people of whom nothing else changes. */
async function learn(
  tx: Tx,
  described: readonly Description[],
  people: readonly Told[],
  created: ReadonlyMap<Told, Contact>,
): Promise<Contact[]> {
  const learnt = people.flatMap((each) => {
    const [holder] = each.holders
    return holder === undefined ? [] : [{ told: each, holder, profile: profileTold(described, each) }]
  })
  await updateLearntContacts(
    tx,
    learnt.map(({ told, holder, profile }) => ({ ...profile, accountId: told.accountId, contactId: holder.id })),
  )
  const after = new Map([...created, ...learnt.map(({ told, holder, profile }) => [told, filled(holder, profile)] as const)])
  return inOrder(described, people, after)
}

function filled(contact: Contact, told: Profile): Contact {
  return {
    ...contact,
    phone: contact.phone || told.phone,
    waId: told.waId ?? contact.waId,
    userId: told.userId ?? contact.userId,
    name: told.name ?? contact.name,
  }
}

type Looked = { described: readonly Description[]; people: readonly Told[]; known: ReadonlyMap<string, KnownKey> }

/** Under the lock: joins those who are one, moves numbers that change hands, and remembers what was told. */
async function change(tx: Tx, deps: PeopleDeps, { described, people, known }: Looked): Promise<Contact[]> {
  const all = people.map((told) => {
    const left = told.members.flatMap((i) => described[i]?.left ?? [])
    return { ...told, told, left, profile: profileTold(described, told) }
  })
  const joined = await joinPeople(tx, deps.clock, all, known)
  const after = new Map(all.map(({ told }, i) => [told, present(joined[i], 'one for each person').person]))
  await deps.follow(
    tx,
    joined.filter((each) => each.joined.length > 0),
  )
  return inOrder(described, people, after)
}

function inOrder(described: readonly Description[], people: readonly Told[], contacts: ReadonlyMap<Told, Contact>): Contact[] {
  const found: Contact[] = []
  for (const told of people) for (const i of told.members) found[i] = present(contacts.get(told), 'each person is known or was made')
  return described.map((_each, i) => present(found[i], 'each description is of a person'))
}
