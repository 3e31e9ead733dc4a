import type { Uuid } from '../../base/id.ts'
import { type Refusal, refusal } from '../../base/refusal.ts'
import { ok, type Result, refused } from '../../base/result.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import { type Contact, findContactsById, findPeople, holdPeople, type Recipient } from '../contacts/public.ts'
import { deleteOptOuts, type OptOutKey } from './store.ts'

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
  { database }: { database: Database },
  wanted: { accountId: Uuid; livemode: boolean; recipient: Recipient },
): Promise<Result<Contact, Refusal>> {
  return database.transaction(async (tx) => {
    const [contact = null] = await findPeople(tx, [wanted])
    if (contact === null) return refused(notOptedOut)
    const [lifted] = await liftOptOuts(tx, [{ accountId: wanted.accountId, contactId: contact.id }])
    return lifted ? ok(contact) : refused(notOptedOut)
  })
}

const notOptedOut = refusal('not_found', 'This person has not opted out.')
