import { present } from '../../base/assert.ts'
import type { Uuid } from '../../base/id.ts'
import { canonicalPhone } from '../../base/phone.ts'
import type { Queries } from '../../platform/database/database.ts'
import { type Contact, findContactsById, findPeople, type Recipient } from '../contacts/public.ts'
import type { OptOut } from './opt-out.ts'
import { findPlace, selectOptOuts } from './store.ts'

type Wanted = { accountId: Uuid; livemode: boolean; limit: number; startingAfter: Recipient | null }

/**
 * rule: opt-outs 3. One page of opt-outs, in the order of their phones; people without a phone follow by their user ids. A phone is a place in
 * that order whether or not its person has opted out, so no page is moved by what comes and goes meanwhile.
 */
export async function listOptOuts(
  { database }: { database: Queries },
  wanted: Wanted,
): Promise<{ items: { optOut: OptOut; contact: Contact }[]; hasMore: boolean }> {
  const after = wanted.startingAfter === null ? null : await placeOfRecipient(database, wanted, wanted.startingAfter)
  const found = await selectOptOuts(database, wanted, { after, limit: wanted.limit + 1 })
  const shown = found.slice(0, wanted.limit)
  const contacts = await findContactsById(
    database,
    shown.map((each) => ({ accountId: each.accountId, id: each.contactId })),
  )
  const byOrd = new Map(contacts.map((each) => [each.ord, each]))
  const items = shown.map((optOut, i) => ({ optOut, contact: present(byOrd.get(i + 1), 'an opt-out has its contact') }))
  return { items, hasMore: found.length > wanted.limit }
}

/** A person's place in the list. Digits come before user ids, which begin with a letter. */
export const placeOf = (contact: Pick<Contact, 'phone' | 'userId'>): string => contact.phone || (contact.userId ?? '')

/** Of one who opted out, where their record stands, also if their phone became known only later; of anyone else, where it would stand. */
async function placeOfRecipient(queries: Queries, { accountId, livemode }: Wanted, recipient: Recipient): Promise<string> {
  const [contact = null] = await findPeople(queries, [{ accountId, livemode, recipient }])
  if (contact === null) return recipient.kind === 'phone' ? canonicalPhone(recipient.digits) : recipient.userId
  return (await findPlace(queries, { accountId, contactId: contact.id })) ?? placeOf(contact)
}
