import type { Uuid } from '../../base/id.ts'
import { parsePhone } from '../../base/phone.ts'
import type { Tx } from '../../platform/database/database.ts'
import { type Contact, keyOf, keysOfNames, type PersonNames, recipientOf } from './contact.ts'
import { type Description, identify, type PeopleDeps } from './identify.ts'

/** What the answer to a send told: whom it was posted to (digits or a user id), what upstream calls that person, and when it was posted. */
export type SendAnswer = { accountId: Uuid; livemode: boolean; input: string; waId: string | null; userId: string | null; at: Date }

/**
 * rule: people 2. Remembers that whom a send was posted to and what upstream calls them are one person, whatever digits the caller gave: the
 * only proof of it that there is. People who turn out to be one by it are joined (rule: people 4). May be repeated.
 */
export async function learnFromAnswers(tx: Tx, deps: PeopleDeps, answers: readonly SendAnswer[]): Promise<void> {
  await identify(
    tx,
    deps,
    answers.flatMap(({ accountId, livemode, input, userId, at, ...answer }): Description[] => {
      const waId = answer.waId === null ? null : parsePhone(answer.waId)
      const posted = recipientOf(input)
      if (posted === null || (waId === null && userId === null)) return []
      return [{ accountId, livemode, keys: [keyOf(posted), ...keysOfNames({ waId, userId })], left: [], at, waId, userId, name: null }]
    }),
  )
}

/** A person as a notice describes them; every field may be missing in practice. */
export type PersonSeen = PersonNames & {
  accountId: Uuid
  livemode: boolean
  name: string | null
  /** When they were seen so, by upstream's time; missing: now. A late notice still finds whoever had the number then. */
  at?: Date
  /** It was told before what may be known already (a replay): it fills what is missing and changes nothing else. */
  isOld?: boolean
}

/**
 * The person behind each description, in the order asked: known by user id or phone, else made new (rule: people 1). What the notice tells
 * beyond that (a further key, the profile name) is remembered, and people who turn out to be one are joined (rule: people 4). A description
 * without phone and user id gives null. Best asked once in a transaction and early (see `identify` on locks). May be repeated.
 */
export async function meetPeople(tx: Tx, deps: PeopleDeps, seen: readonly PersonSeen[]): Promise<(Contact | null)[]> {
  const described = seen.map((each): Description => ({ ...each, keys: keysOfNames(each), left: [], at: each.at ?? null }))
  const somebody = described.filter((each) => each.keys.length > 0)
  const people = await identify(tx, deps, somebody)
  const found = new Map(somebody.map((each, i) => [each, people[i]]))
  // Two descriptions of one person may name them differently: each is answered with its own words.
  return described.map((each) => {
    const person = found.get(each)
    if (person === undefined) return null
    return { ...person, name: each.isOld === true ? (person.name ?? each.name) : (each.name ?? person.name) }
  })
}
