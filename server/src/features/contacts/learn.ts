import { present } from '../../base/assert.ts'
import type { Clock } from '../../base/clock.ts'
import type { Uuid } from '../../base/id.ts'
import { type CanonicalPhone, canonicalPhone, type Digits, parsePhone } from '../../base/phone.ts'
import type { Tx } from '../../platform/database/database.ts'
import { type Contact, type ContactKey, phoneKey, userIdKey } from './contact.ts'
import { createPeople, findPeople, type PersonWanted } from './resolve.ts'
import { type Learnt, updateLearntContacts } from './store.ts'

/** What the answer to a send told of the person it went to. */
export type SendAnswer = { accountId: Uuid; livemode: boolean; contactId: Uuid; waId: string | null; userId: string | null }

/** rule: people 2. Remembers how upstream calls the people that were sent to: its `wa_id` becomes an alias, whatever digits the caller gave. */
export async function learnFromAnswers(tx: Tx, answers: readonly SendAnswer[]): Promise<void> {
  const learnt = answers
    .filter((each) => each.waId !== null || each.userId !== null)
    .map((each): Learnt => ({ ...each, name: null, phone: phoneOf(each.waId), keys: keysOf(each) }))
  await updateLearntContacts(tx, onePerContact(learnt))
}

/** A person as a notice describes them; every field may be missing in practice. */
export type PersonSeen = {
  accountId: Uuid
  livemode: boolean
  waId: Digits | null
  userId: string | null
  name: string | null
  /** It was told before others that may be known already (a replay): it fills what is missing and changes nothing else. */
  isOld?: boolean
}

/**
 * The person behind each description, in the order asked: known by user id, else by phone, else made new. What the notice
 * tells beyond that (a further key, the profile name) is remembered. A description without phone and user id gives null.
 */
export async function meetPeople(tx: Tx, clock: Clock, described: readonly PersonSeen[]): Promise<(Contact | null)[]> {
  const seen = withPhones(described)
  const byUserId = await findPeople(
    tx,
    seen.map((each) => wantedBy(each, 'user_id')),
  )
  const byPhone = await findPeople(
    tx,
    seen.map((each) => wantedBy(each, 'phone')),
  )
  const met = seen.map((_each, i) => byUserId[i] ?? byPhone[i] ?? null)
  const missing = seen.flatMap((each, i) => (met[i] === null && (each.waId !== null || each.userId !== null) ? [i] : []))
  const created = await createPeople(
    tx,
    clock,
    missing.map((i) => {
      const each = present(seen[i], 'an index of the list')
      return { ...wantedBy(each, each.waId === null ? 'user_id' : 'phone'), name: each.name, waId: each.waId, userId: each.userId }
    }),
  )
  missing.forEach((i, n) => {
    met[i] = created[n] ?? null
  })
  const learnt = seen.flatMap((each, i): Learnt[] => {
    const contact = met[i]
    return contact ? [{ ...newsOf(each, contact), contactId: contact.id, phone: phoneOf(each.waId), keys: keysOf(each) }] : []
  })
  await updateLearntContacts(tx, onePerContact(learnt))
  return met.map((contact, i) => {
    const each = seen[i]
    return contact && each ? { ...contact, phone: contact.phone || (phoneOf(each.waId) ?? ''), name: each.name ?? contact.name } : null
  })
}

/** rule: receive 20. What is known came later than what an old description says. */
function newsOf(seen: PersonSeen, known: Contact): PersonSeen {
  if (seen.isOld !== true) return seen
  const { waId, userId, name } = seen
  return {
    ...seen,
    waId: known.waId === null ? waId : null,
    userId: known.userId === null ? userId : null,
    name: known.name === null ? name : null,
  }
}

/** One batch may describe a new person with a phone and again without it: both must lead to one contact, made under the phone. */
function withPhones(described: readonly PersonSeen[]): PersonSeen[] {
  const place = (each: PersonSeen) => `${each.accountId} ${each.livemode} ${each.userId}`
  const phones = new Map(described.flatMap((each) => (each.waId === null || each.userId === null ? [] : [[place(each), each.waId]])))
  return described.map((each) => (each.waId === null && each.userId !== null ? { ...each, waId: phones.get(place(each)) ?? null } : each))
}

function wantedBy(seen: PersonSeen, by: 'user_id' | 'phone'): PersonWanted {
  const { accountId, livemode } = seen
  // A key that nobody can have: the answer is null and the positions stay aligned.
  if (by === 'user_id') return { accountId, livemode, recipient: { kind: 'user_id', userId: seen.userId ?? '' } }
  return { accountId, livemode, recipient: seen.waId === null ? { kind: 'user_id', userId: '' } : { kind: 'phone', digits: seen.waId } }
}

function phoneOf(waId: string | null): CanonicalPhone | null {
  const digits = waId === null ? null : parsePhone(waId)
  return digits === null ? null : canonicalPhone(digits)
}

function keysOf(each: { waId: string | null; userId: string | null }): ContactKey[] {
  const digits = each.waId === null ? null : parsePhone(each.waId)
  return [...(digits === null ? [] : [phoneKey(digits)]), ...(each.userId === null ? [] : [userIdKey(each.userId)])]
}

/** One statement may touch a row once: later descriptions of the same person win, field by field. */
function onePerContact(learnt: readonly Learnt[]): Learnt[] {
  const merged = new Map<string, Learnt>()
  for (const each of learnt) {
    const place = `${each.accountId} ${each.contactId}`
    const known = merged.get(place)
    merged.set(place, {
      ...each,
      keys: [...new Set([...(known?.keys ?? []), ...each.keys])],
      waId: each.waId ?? known?.waId ?? null,
      userId: each.userId ?? known?.userId ?? null,
      name: each.name ?? known?.name ?? null,
      phone: each.phone ?? known?.phone ?? null,
    })
  }
  return [...merged.values()]
}
