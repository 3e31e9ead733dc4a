import { present } from '../../base/assert.ts'
import type { Uuid } from '../../base/id.ts'
import { canonicalPhone } from '../../base/phone.ts'
import type { Tx } from '../../platform/database/database.ts'
import { type Contact, keysOfNames, type PersonNames, phoneKey, placeOf, userIdKey } from './contact.ts'
import { type Description, identify, type PeopleDeps } from './identify.ts'
import { findKeys, type KeyPlace, lockPeople, markKeys } from './key-store.ts'
import { lockContacts, setProfiles } from './store.ts'

/** A person who has another number or user id from a moment on, by upstream's time. At least one name of `after` is told. */
export type PersonMove = { accountId: Uuid; livemode: boolean; at: Date; before: PersonNames; after: PersonNames }

/**
 * rule: people 5. Lets people go by other names from now on, and answers who they are, in the order asked. What they leave still leads to them,
 * until somebody else writes from it: then it is that person's. People known separately by old and new names are joined. Moves may come in
 * any order and again: of each name the latest change counts, by upstream's time.
 */
export async function movePeople(tx: Tx, deps: PeopleDeps, moves: readonly PersonMove[]): Promise<Contact[]> {
  if (moves.length === 0) return []
  const people = await identify(tx, deps, moves.map(descriptionOf))
  await lockPeople(tx, moves)
  const steps = moves.map((move, i) => ({ move, i, personId: present(people[i], 'one for each move').id }))
  const moved: Contact[] = []
  // One after the other, because the next may be of the same person. They are few.
  for (const { move, i, personId } of steps.toSorted((a, b) => a.move.at.getTime() - b.move.at.getTime())) {
    moved[i] = await moveOne(tx, deps, move, personId)
  }
  return moved
}

function descriptionOf(move: PersonMove): Description {
  const after = keysOfNames(move.after)
  const left = keysOfNames(move.before).filter((key) => !after.includes(key))
  const { waId, userId } = move.after
  return { ...move, keys: [...left, ...after], left, waId, userId, name: null }
}

async function moveOne(tx: Tx, deps: PeopleDeps, move: PersonMove, personId: Uuid): Promise<Contact> {
  const { accountId, livemode, at } = move
  const { keys, left } = descriptionOf(move)
  const places = keys.map((key): KeyPlace => ({ accountId, livemode, key }))
  const known = await findKeys(tx, places)
  const changed = places.filter((place) => {
    const found = known.get(placeOf(place, place.key))
    const isOlder = (moment: Date | null | undefined) => !moment || moment < at
    return found?.holder.id === personId && isOlder(found.changedAt) && isOlder(found.takenAt)
  })
  await markKeys(
    tx,
    changed.map((place) => ({ ...place, at, isLeft: left.includes(place.key) })),
  )
  return show(tx, deps, move, personId)
}

/** Shows and addresses the person by their new names, those that no later move has left. */
async function show(tx: Tx, { follow }: PeopleDeps, { accountId, livemode, after }: PersonMove, personId: Uuid): Promise<Contact> {
  const { waId, userId } = after
  const keys = keysOfNames(after).map((key): KeyPlace => ({ accountId, livemode, key }))
  const known = await findKeys(tx, keys)
  const isToday = (key: KeyPlace['key']) => {
    const found = known.get(placeOf({ accountId, livemode }, key))
    return found !== undefined && !found.isLeft && found.holder.id === personId
  }
  const person = present((await lockContacts(tx, [{ accountId, id: personId }])).get(personId), 'a person who was identified')
  const byPhone = waId !== null && isToday(phoneKey(waId)) ? { waId, phone: canonicalPhone(waId) as string } : {}
  const byUserId = userId !== null && isToday(userIdKey(userId)) ? { userId } : {}
  const moved = { ...person, ...byPhone, ...byUserId }
  await setProfiles(tx, [{ ...moved, accountId, contactId: personId }])
  if (moved.phone !== person.phone) await follow(tx, [{ accountId, livemode, person: moved, joined: [] }])
  return moved
}
