import { present } from '../../base/assert.ts'
import type { Clock } from '../../base/clock.ts'
import type { Uuid } from '../../base/id.ts'
import { because, type Refusal, refusal } from '../../base/refusal.ts'
import { ok, type Result, refused } from '../../base/result.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import { type Contact, createPeople, findContactsById, findPeople, holdPeople, type Recipient } from '../contacts/public.ts'
import { placeOf } from './list.ts'
import type { OptOut, OptOutSource } from './opt-out.ts'
import { upsertOptOuts } from './store.ts'
import { upsertOrderedWish } from './wish-store.ts'

type Deps = { database: Database; clock: Clock }

export type OptOutWanted = { accountId: Uuid; livemode: boolean; contactId: Uuid; source: OptOutSource }

/**
 * Marks people as opted out of marketing messages, in the caller's transaction, and says of each, in the order asked, whether that changed
 * anything: not for one who had opted out before, whose mark keeps its source and moment, nor for a contact that is not there.
 */
export async function setOptOuts(tx: Tx, { clock }: Pick<Deps, 'clock'>, wanted: readonly OptOutWanted[]): Promise<boolean[]> {
  if (wanted.length === 0) return []
  await holdPeople(tx, wanted)
  const contacts = await findContactsById(
    tx,
    wanted.map((each) => ({ accountId: each.accountId, id: each.contactId })),
  )
  const known = new Map(contacts.map((each) => [each.ord - 1, each]))
  // Of several for one person the first counts: a statement writes a row only once.
  const firsts = new Map([...known].toReversed().map(([i, contact]) => [contact.id, i]))
  const createdAt = clock.now()
  const fresh = [...firsts].map(([contactId, i]) => {
    const each = present(wanted[i], 'a position in the list')
    return { ...each, author: null, contactId, person: placeOf(present(known.get(i), 'it was read')), createdAt }
  })
  const written = await upsertOptOuts(tx, fresh)
  const made = new Set(written.filter((each) => each.made).map(({ optOut }) => optOut.contactId))
  return wanted.map((_each, i) => {
    const id = known.get(i)?.id
    return id !== undefined && made.has(id) && firsts.get(id) === i
  })
}

/** `source`: the customer's system, or their team, of whom it was the author. */
export type OptOutRequest = { accountId: Uuid; livemode: boolean; recipient: Recipient; source: 'api' | 'console'; author?: Uuid }

/**
 * rule: opt-outs 2. Opts a person out by a call, and makes the contact of one who is not known yet. `made`: false where they had opted out
 * before (or, after a lost connection, where it cannot be told). Refused: a user id that nobody here is known by.
 */
export async function optPersonOut(
  { database, clock }: Deps,
  { accountId, livemode, recipient, source, author }: OptOutRequest,
): Promise<Result<{ optOut: OptOut; contact: Contact; made: boolean }, Refusal>> {
  const wanted = { accountId, livemode, recipient }
  return database.repeatable(async (tx) => {
    const [known = null] = await findPeople(tx, [wanted])
    if (known === null && recipient.kind === 'user_id') return refused(unknownUserId)
    const [met] = known === null ? await createPeople(tx, clock, [{ ...wanted, name: null }]) : [known]
    await holdPeople(tx, [wanted])
    // Who that is by now, and until commit.
    const [contact] = await findContactsById(tx, [{ accountId, id: present(met, 'each person is known or was made').id }])
    if (contact === undefined) throw new Error('bug: nobody who was met goes away')
    const optOut: OptOut = { accountId, livemode, contactId: contact.id, source, author: author ?? null, createdAt: clock.now() }
    await upsertOrderedWish(tx, { ...optOut, wanted: false, at: optOut.createdAt })
    const [written] = await upsertOptOuts(tx, [{ ...optOut, person: placeOf(contact) }])
    if (written === undefined) throw new Error('bug: an upsert answers its row')
    return ok({ ...written, contact })
  })
}

const why = because('no_person', 'There is no person with this user id.')
const unknownUserId = refusal('not_found', why, [{ field: 'phone', message: why.words, reason: why.reason }])
