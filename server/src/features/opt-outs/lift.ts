import type { Clock } from '../../base/clock.ts'
import type { Uuid } from '../../base/id.ts'
import { because, type Refusal, refusal } from '../../base/refusal.ts'
import { ok, type Result, refused } from '../../base/result.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import { type Contact, findContactsById, findPeople, holdPeople, type Recipient } from '../contacts/public.ts'
import { deleteOptOuts, type OptOutKey, optedOutAmong } from './store.ts'
import { upsertOrderedWish } from './wish-store.ts'

/** Takes opt-outs back, in the caller's transaction, and says of each person, in the order asked, whether there was one. */
export async function liftOptOuts(tx: Tx, unwanted: readonly OptOutKey[]): Promise<boolean[]> {
  if (unwanted.length === 0) return []
  await holdPeople(tx, unwanted)
  const contacts = await findContactsById(
    tx,
    unwanted.map((each) => ({ accountId: each.accountId, id: each.contactId })),
  )
  const ids = new Map(contacts.map((each) => [each.ord - 1, each.id]))
  const lifted = await deleteOptOuts(
    tx,
    unwanted.flatMap(({ accountId }, i) => {
      const contactId = ids.get(i)
      return contactId === undefined ? [] : [{ accountId, contactId }]
    }),
  )
  const theirs = new Set(lifted.map((each) => each.contactId))
  // Named twice, the first of the two took it back.
  return unwanted.map((_each, i) => {
    const id = ids.get(i)
    return id !== undefined && theirs.delete(id)
  })
}

/** Lets a person get marketing messages again, and answers who it is. Refused: nobody, or one who has not opted out. */
export async function liftPersonsOptOut(
  { database, clock }: { database: Database; clock: Clock },
  wanted: { accountId: Uuid; livemode: boolean; recipient: Recipient },
): Promise<Result<Contact, Refusal>> {
  return database.transaction(async (tx) => {
    const [met = null] = await findPeople(tx, [wanted])
    if (met === null) return refused(notOptedOut)
    const { accountId } = wanted
    await holdPeople(tx, [wanted])
    // Who that is by now, and until commit.
    const [contact = met] = await findContactsById(tx, [{ accountId, id: met.id }])
    const key = { accountId, contactId: contact.id }
    const [isOut] = await optedOutAmong(tx, [key])
    // Only where there is something to lift: a call that finds nothing must not count against what the person says later.
    if (!isOut) return refused(notOptedOut)
    await upsertOrderedWish(tx, { ...key, wanted: true, at: clock.now() })
    const [lifted] = await liftOptOuts(tx, [key])
    return lifted ? ok(contact) : refused(notOptedOut)
  })
}

const notOptedOut = refusal('not_found', because('no_opt_out', 'This person has not opted out.'))
