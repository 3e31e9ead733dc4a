import type { Uuid } from '../../base/id.ts'
import type { Tx } from '../../platform/database/database.ts'
import { idsOf, type PersonChange } from '../contacts/public.ts'
import { placeOf } from './list.ts'
import type { OptOut } from './opt-out.ts'
import { deleteOptOuts, type OptOutKey, upsertOptOuts } from './store.ts'
import { takeWishes, upsertHeardWishes } from './wish-store.ts'

/**
 * rule: opt-outs 7. Who has opted out under any of their names has opted out: of people who are one the first opt-out counts. It also moves to
 * its place in the list when its person's phone changes. The people are locked, and whoever sets or lifts holds them, so that none is missed.
 */
export async function followPeople(tx: Tx, changes: readonly PersonChange[]): Promise<void> {
  if (changes.length === 0) return
  const theirs = changes.flatMap(({ accountId, person }) => idsOf(person).map((contactId) => ({ accountId, contactId })))
  await followWishes(tx, changes, theirs)
  const found = await deleteOptOuts(tx, theirs)
  const byContact = new Map(found.map((each) => [each.contactId, each]))
  const kept = changes.flatMap(({ person }) => {
    const first = firstOf(idsOf(person).flatMap((id: Uuid) => byContact.get(id) ?? []))
    return first === null ? [] : [{ ...first, contactId: person.id, person: placeOf(person) }]
  })
  if (kept.length > 0) await upsertOptOuts(tx, kept)
}

/** Of what was said under any of their names the last counts against what is heard later. */
async function followWishes(tx: Tx, changes: readonly PersonChange[], theirs: readonly OptOutKey[]): Promise<void> {
  const found = new Map((await takeWishes(tx, theirs)).map((each) => [each.contactId, each]))
  const last = changes.flatMap(({ person }) => {
    const wishes = idsOf(person).flatMap((id: Uuid) => found.get(id) ?? [])
    const [latest] = wishes.toSorted((a, b) => b.at.getTime() - a.at.getTime())
    return latest === undefined ? [] : [{ ...latest, contactId: person.id }]
  })
  await upsertHeardWishes(tx, last)
}

const firstOf = (optOuts: readonly OptOut[]): OptOut | null =>
  optOuts.toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime())[0] ?? null
