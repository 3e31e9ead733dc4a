import { createGroups, type Groups } from '../../base/groups.ts'
import type { Uuid } from '../../base/id.ts'
import { parsePhone } from '../../base/phone.ts'
import { type Contact, type ContactKey, isPhoneKey, type KnownKey, type Profile, phoneKey, placeOf, userIdKey } from './contact.ts'

/** What upstream tells in one breath: all these keys are one person's. */
export type Evidence = {
  accountId: Uuid
  livemode: boolean
  keys: readonly ContactKey[]
  /** The keys among them that the person leaves by it. */
  left: readonly ContactKey[]
  /** Of what moment it speaks, by upstream's time; null: of now. */
  at: Date | null
}

export type TakenKey = { key: ContactKey; from: Contact; at: Date | null }

/** Somebody of whom evidence speaks. */
export type Told = {
  accountId: Uuid
  livemode: boolean
  /** Positions in the list of evidence. */
  members: readonly number[]
  /** Who that is, oldest first: nobody yet, one, or several who turn out to be one. */
  holders: readonly Contact[]
  /** Keys that nobody has yet. */
  unknown: readonly ContactKey[]
  /** Numbers that come to this person from one who had left them. */
  taken: readonly TakenKey[]
  /** Those of the keys that are this person's and that they have not left. */
  current: ReadonlySet<ContactKey>
}

/**
 * rule: people 4, people 5. Who the people are of whom the evidence speaks: whatever shares a key, or keys of one holder, is one person. Only a
 * number that somebody has left, or that has changed hands, does not say so: it may be another person's by now. Pure.
 */
export function whoIsWho(evidence: readonly Evidence[], known: ReadonlyMap<string, KnownKey>): Told[] {
  const groups = createGroups()
  const links = evidence.map((each) => linksOf(each, known))
  const holders = new Map<Uuid, Contact>()
  const lead = (from: string, holder: Contact) => {
    holders.set(holder.id, holder)
    groups.join(from, holder.id)
  }
  links.forEach((each, i) => {
    for (const { place, holder } of each.filter(binds)) {
      groups.join(memberName(i), place)
      if (holder !== null) lead(place, holder)
    }
  })
  const held = new Set([...holders.keys()].map((id) => groups.of(id)))
  links.forEach((each, i) => {
    // Such a number says who somebody is only where nothing else does.
    const weak = each.find(({ force }) => force === 'changed_hands') ?? (each.some(binds) ? undefined : each[0])
    if (!weak?.holder || held.has(groups.of(memberName(i)))) return
    lead(memberName(i), weak.holder)
    held.add(groups.of(memberName(i)))
  })
  const takers = takersOf(evidence, links, groups)
  const holdersOf = Map.groupBy(holders.values(), (each) => groups.of(each.id))
  return [...Map.groupBy(evidence.keys(), (i) => groups.of(memberName(i)))].map(([name, members]) =>
    toldOf(evidence, {
      members,
      links: members.flatMap((i) => links[i] ?? []),
      holders: holdersOf.get(name) ?? [],
      taken: takers.get(name) ?? [],
    }),
  )
}

/** `none`: it has come to somebody else since. */
type Force = 'binds' | 'left' | 'changed_hands' | 'none'
type Link = { key: ContactKey; place: string; force: Force; holder: Contact | null; known: KnownKey | undefined }

const binds = ({ force }: Link) => force === 'binds'
const memberName = (i: number) => `#${i}`

function linksOf(each: Evidence, known: ReadonlyMap<string, KnownKey>): Link[] {
  return [...new Set(each.keys)].map((key) => {
    const place = placeOf(each, key)
    const found = known.get(place)
    return { key, place, force: forceOf(each, key, found), holder: found?.holder ?? null, known: found }
  })
}

function forceOf({ left, at }: Evidence, key: ContactKey, known: KnownKey | undefined): Force {
  // User ids are given once.
  if (known === undefined || !isPhoneKey(key)) return 'binds'
  const speaksOfBefore = (moment: Date | null) => at !== null && moment !== null && at <= moment
  // Told late, or again.
  if (known.takenAt !== null && at !== null && at < known.takenAt) return 'none'
  if (left.includes(key)) return 'binds'
  // At that moment its holder had not left it yet.
  if (known.isLeft) return speaksOfBefore(known.changedAt) ? 'binds' : 'left'
  return known.takenAt === null ? 'binds' : 'changed_hands'
}

/** What each group takes over: numbers of others that they had left. The first one gets it. */
function takersOf(evidence: readonly Evidence[], links: readonly (readonly Link[])[], groups: Groups): Map<string, TakenKey[]> {
  const takers = new Map<string, TakenKey[]>()
  const gone = new Set<string>()
  links.forEach((each, i) => {
    const name = groups.of(memberName(i))
    for (const { key, place, force, holder } of each) {
      if (force !== 'left' || holder === null || groups.of(holder.id) === name || gone.has(place)) continue
      gone.add(place)
      const own = takers.get(name) ?? []
      own.push({ key, from: holder, at: evidence[i]?.at ?? null })
      takers.set(name, own)
    }
  })
  return takers
}

type Group = { members: readonly number[]; links: readonly Link[]; holders: readonly Contact[]; taken: Told['taken'] }

function toldOf(evidence: readonly Evidence[], { members, links, holders, taken }: Group): Told {
  const { accountId, livemode } = evidence[members[0] ?? 0] as Evidence
  const oldestFirst = holders.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const ids = new Set(holders.map((each) => each.id))
  const unknown = new Set(links.filter((each) => each.known === undefined).map((each) => each.key))
  const held = links.filter((each) => each.known?.isLeft === false && ids.has(each.known.holder.id)).map((each) => each.key)
  const current = new Set([...unknown, ...held, ...taken.map((each) => each.key)])
  return { accountId, livemode, members, holders: oldestFirst, unknown: [...unknown], taken, current }
}

/**
 * rule: people 4. What several people who are one are shown as: what the oldest has, filled from the others; a number or user id that was left
 * only where there is no other.
 */
export function joinedProfile(people: readonly Profile[], isLeft: (key: ContactKey) => boolean): Profile {
  const pick = (values: readonly (string | null)[], keyOfValue: (value: string) => ContactKey | null): string | null => {
    const filled = values.filter((value) => value !== null && value !== '')
    const today = filled.find((value) => {
      const key = value === null ? null : keyOfValue(value)
      return key === null || !isLeft(key)
    })
    return today ?? filled[0] ?? null
  }
  return {
    phone:
      pick(
        people.map((each) => each.phone),
        keyOfDigits,
      ) ?? '',
    waId: pick(
      people.map((each) => each.waId),
      keyOfDigits,
    ),
    userId: pick(
      people.map((each) => each.userId),
      userIdKey,
    ),
    name: people.find((each) => each.name !== null)?.name ?? null,
  }
}

/** The keys that a profile shows. */
export const keysOfProfile = ({ phone, waId, userId }: Profile): ContactKey[] =>
  [keyOfDigits(phone), waId === null ? null : keyOfDigits(waId), userId === null ? null : userIdKey(userId)].filter((key) => key !== null)

function keyOfDigits(text: string): ContactKey | null {
  const digits = parsePhone(text)
  return digits === null ? null : phoneKey(digits)
}
