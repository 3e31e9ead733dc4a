import { present } from '../../base/assert.ts'
import type { Clock } from '../../base/clock.ts'
import type { Uuid } from '../../base/id.ts'
import type { Tx } from '../../platform/database/database.ts'
import { type Contact, type ContactKey, idsOf, type KnownKey, type Profile, placeOf } from './contact.ts'
import { findKeys, takeLeftKeys } from './key-store.ts'
import { joinedProfile, keysOfProfile, type Told } from './rules.ts'
import { lockContacts, setProfiles, writeJoined } from './store.ts'

/** Somebody to be written: who they are, what was told of them just now, and keys that they leave by it. */
export type ToldPerson = Told & { profile: Profile; left: readonly ContactKey[] }

export type JoinedPerson = { accountId: Uuid; livemode: boolean; person: Contact; joined: readonly Uuid[] }

/**
 * rule: people 4. Makes one of people who are one, and answers each as they are then, in the order given. Nothing that was written under their
 * ids is touched, because a person may have millions of messages: the younger merely lead to the oldest from now on, and whoever reads asks
 * for all ids of a person. So it costs the same for everybody, and a message, a window or a send that another transaction is writing under
 * the younger id at this moment is not lost either.
 *
 * The oldest stays, by its id: whoever joins them, in whatever order and from whichever side, comes to the same, and no ring can be made.
 *
 * The people of the account are locked (`lockPeople`); here their rows follow, all at once.
 */
export async function joinPeople(
  tx: Tx,
  clock: Clock,
  people: readonly ToldPerson[],
  known: ReadonlyMap<string, KnownKey>,
): Promise<JoinedPerson[]> {
  const rows = await lockContacts(tx, rowsOf(people))
  const isLeft = await leftKeys(tx, people, { rows, known })
  const joined = people.map((each): JoinedPerson => {
    const [oldest, ...younger] = each.holders.map(({ id }) => present(rows.get(id), 'a holder of a key is there'))
    const { accountId, livemode } = each
    const person = present(oldest, 'under the lock each key has its holder')
    const shown = joinedProfile([person, ...younger], (key) => isLeft(each, key))
    const former = younger.flatMap(({ id, formerIds }) => [id, ...formerIds])
    return {
      accountId,
      livemode,
      joined: former,
      person: { ...withTold(person, shown, each.profile), formerIds: [...person.formerIds, ...former] },
    }
  })
  await writeJoined(
    tx,
    joined.flatMap(({ accountId, person, joined }) => joined.map((id) => ({ accountId, id, intoId: person.id }))),
  )
  await setProfiles(
    tx,
    joined.map(({ accountId, person }) => ({ ...person, accountId, contactId: person.id })),
  )
  await moveTaken(tx, clock, people, { rows, joined })
  return joined
}

/** Each once: those who are joined, those who lead to them already, and those who lose a number. */
function rowsOf(people: readonly ToldPerson[]): { accountId: Uuid; id: Uuid }[] {
  const rows = people.flatMap(({ accountId, holders, taken }) =>
    [...holders.flatMap(({ id, formerIds }) => [id, ...formerIds]), ...taken.map(({ from }) => from.id)].map((id) => ({ accountId, id })),
  )
  return [...new Map(rows.map((each) => [each.id, each])).values()]
}

type Read = { rows: ReadonlyMap<Uuid, Contact>; known: ReadonlyMap<string, KnownKey> }

/** Which keys of their profiles these people have left. */
async function leftKeys(
  tx: Tx,
  people: readonly ToldPerson[],
  { rows, known }: Read,
): Promise<(of: ToldPerson, key: ContactKey) => boolean> {
  const shown = people.flatMap((each) => {
    const keys = each.holders.length > 1 ? each.holders.flatMap(({ id }) => keysOfProfile(present(rows.get(id), 'it was locked'))) : []
    return keys.map((key) => ({ accountId: each.accountId, livemode: each.livemode, key }))
  })
  const all = new Map([...known, ...(await findKeys(tx, shown))])
  const left = new Map(people.map((each) => [each, new Set(each.left)]))
  return (of, key) => left.get(of)?.has(key) === true || all.get(placeOf(of, key))?.isLeft === true
}

const withTold = (person: Contact, shown: Profile, told: Profile): Contact => ({
  ...person,
  phone: shown.phone || told.phone,
  waId: told.waId ?? shown.waId,
  userId: told.userId ?? shown.userId,
  name: told.name ?? shown.name,
})

type Written = { rows: ReadonlyMap<Uuid, Contact>; joined: readonly JoinedPerson[] }

/** rule: people 5. Numbers change hands; whoever had left one is not addressed by it any more. */
async function moveTaken(tx: Tx, clock: Clock, people: readonly ToldPerson[], { rows, joined }: Written): Promise<void> {
  const taken = people.flatMap(({ accountId, livemode, taken }, i) => {
    const contactId = present(joined[i], 'one for each person').person.id
    return taken.map(({ key, from, at }) => ({ accountId, livemode, key, from, contactId, at: at ?? clock.now() }))
  })
  if (taken.length === 0) return
  await takeLeftKeys(tx, taken)
  const today = new Map(joined.flatMap(({ person }) => idsOf(person).map((id) => [id, person])))
  await setProfiles(
    tx,
    taken.flatMap(({ accountId, key, from }) => {
      const loser = present(today.get(from.id) ?? rows.get(from.id), 'it was locked')
      const isAddressedByIt = keysOfProfile({ ...loser, phone: '', userId: null }).includes(key)
      return isAddressedByIt ? [{ ...loser, accountId, contactId: loser.id, waId: null }] : []
    }),
  )
}
