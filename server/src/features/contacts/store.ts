import type { Uuid } from '../../base/id.ts'
import type { Queries, Tx } from '../../platform/database/database.ts'
import { statement } from '../../platform/database/statement.ts'
import type { Contact, ContactKey, Profile } from './contact.ts'

export type KeyedContact = Contact & { ord: number }

export type ContactRow = {
  id: Uuid
  phone: string
  wa_id: string | null
  user_id: string | null
  name: string | null
  former_ids: Uuid[]
}

/** All of a contact, where the person is called `person`. */
export const personColumns = 'person.id, person.phone, person.wa_id, person.user_id, person.name, person.former_ids'

export function contactOf(row: ContactRow): Contact {
  return { id: row.id, phone: row.phone, waId: row.wa_id, userId: row.user_id, name: row.name, formerIds: row.former_ids }
}

const findByKey = statement(
  'find_contacts_by_key',
  `select wanted.ord::integer as ord, ${personColumns}
  from unnest($1::uuid[], $2::boolean[], $3::text[]) with ordinality as wanted (account_id, livemode, key, ord)
  join contact_key known on known.account_id = wanted.account_id and known.livemode = wanted.livemode and known.key = wanted.key
  join contact named on named.account_id = known.account_id and named.id = known.contact_id
  join contact person on person.account_id = named.account_id and person.id = coalesce(named.merged_into, named.id)`,
)

export type KeyWanted = { accountId: Uuid; livemode: boolean; key: ContactKey }

/** The known ones among them, each with its position (from 1) in the list. */
export async function findContactsByKey(queries: Queries, wanted: readonly KeyWanted[]): Promise<KeyedContact[]> {
  const rows = await queries.run<ContactRow & { ord: number }>(findByKey, [
    wanted.map((each) => each.accountId),
    wanted.map((each) => each.livemode),
    wanted.map((each) => each.key),
  ])
  return rows.map((row) => ({ ...contactOf(row), ord: row.ord }))
}

const findById = statement(
  'find_contacts_by_id',
  `select wanted.ord::integer as ord, ${personColumns}
  from unnest($1::uuid[], $2::uuid[]) with ordinality as wanted (account_id, id, ord)
  join contact named on named.account_id = wanted.account_id and named.id = wanted.id
  join contact person on person.account_id = named.account_id and person.id = coalesce(named.merged_into, named.id)`,
)

/**
 * People by ids under which something of theirs is written, each with its position (from 1) in the list: whoever turned out to be another
 * person is answered as that one (rule: people 4), so `id` may be another one than was asked for.
 */
export async function findContactsById(queries: Queries, wanted: readonly { accountId: Uuid; id: Uuid }[]): Promise<KeyedContact[]> {
  const rows = await queries.run<ContactRow & { ord: number }>(findById, [
    wanted.map((each) => each.accountId),
    wanted.map((each) => each.id),
  ])
  return rows.map((row) => ({ ...contactOf(row), ord: row.ord }))
}

export type NewContact = Contact & { accountId: Uuid; livemode: boolean; createdAt: Date }

const insertNew = statement(
  'insert_contacts',
  `insert into contact (account_id, id, livemode, phone, wa_id, user_id, name, created_at)
  select account_id, id, livemode, phone, wa_id, user_id, name, created_at
  from unnest($1::uuid[], $2::uuid[], $3::boolean[], $4::text[], $5::text[], $6::text[], $7::text[], $8::timestamptz[])
    as fresh (account_id, id, livemode, phone, wa_id, user_id, name, created_at)`,
)

/** Creates people who have claimed a key. */
export async function insertContacts(tx: Tx, created: readonly NewContact[]): Promise<void> {
  if (created.length === 0) return
  await tx.run(insertNew, [
    created.map((each) => each.accountId),
    created.map((each) => each.id),
    created.map((each) => each.livemode),
    created.map((each) => each.phone),
    created.map((each) => each.waId),
    created.map((each) => each.userId),
    created.map((each) => each.name),
    created.map((each) => each.createdAt),
  ])
}

export type ContactProfile = Profile & { accountId: Uuid; contactId: Uuid }

const profileArrays = (profiles: readonly ContactProfile[]) => [
  profiles.map((each) => each.accountId),
  profiles.map((each) => each.contactId),
  profiles.map((each) => each.phone),
  profiles.map((each) => each.waId),
  profiles.map((each) => each.userId),
  profiles.map((each) => each.name),
]

const updateLearnt = statement(
  'update_learnt_contacts',
  // Writes only what is new: most notices repeat what is known.
  // The phone of a person known by user id only is filled once it is told, and after that changes only when they change it.
  `update contact set
    phone = learnt.phone,
    wa_id = coalesce(learnt.wa_id, contact.wa_id),
    user_id = coalesce(learnt.user_id, contact.user_id),
    name = coalesce(learnt.name, contact.name)
  from (
    select contact.account_id, contact.id, learnt.wa_id, learnt.user_id, learnt.name,
      coalesce(nullif(contact.phone, ''), learnt.phone) as phone
    from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[])
      as learnt (account_id, contact_id, phone, wa_id, user_id, name)
    join contact on contact.account_id = learnt.account_id and contact.id = learnt.contact_id
    where contact.wa_id is distinct from coalesce(learnt.wa_id, contact.wa_id)
      or contact.user_id is distinct from coalesce(learnt.user_id, contact.user_id)
      or contact.name is distinct from coalesce(learnt.name, contact.name)
      or (contact.phone = '' and learnt.phone <> '')
    order by contact.account_id, contact.id
    for no key update of contact
  ) as learnt
  where contact.account_id = learnt.account_id and contact.id = learnt.id`,
)

/** Adds what upstream told of people, each at most once in the list: null and '' are nothing told. */
export async function updateLearntContacts(tx: Tx, learnt: readonly ContactProfile[]): Promise<void> {
  if (learnt.length > 0) await tx.run(updateLearnt, profileArrays(learnt))
}

const setAll = statement(
  'set_contact_profiles',
  `update contact set phone = shown.phone, wa_id = shown.wa_id, user_id = shown.user_id, name = shown.name
  from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[])
    as shown (account_id, contact_id, phone, wa_id, user_id, name)
  where contact.account_id = shown.account_id and contact.id = shown.contact_id`,
)

/** Writes how people are shown and addressed from now on. They are locked. */
export async function setProfiles(tx: Tx, shown: readonly ContactProfile[]): Promise<void> {
  if (shown.length > 0) await tx.run(setAll, profileArrays(shown))
}

const lock = statement(
  'lock_contacts',
  // Ordered, so that two transactions over the same people never wait for each other in a ring.
  `select ${personColumns}
  from unnest($1::uuid[], $2::uuid[]) as wanted (account_id, id)
  join contact person on person.account_id = wanted.account_id and person.id = wanted.id
  order by person.account_id, person.id
  for no key update of person`,
)

/** Reads people and locks their rows until commit, each id at most once; by id. */
export async function lockContacts(tx: Tx, wanted: readonly { accountId: Uuid; id: Uuid }[]): Promise<Map<Uuid, Contact>> {
  const rows = await tx.run<ContactRow>(lock, [wanted.map((each) => each.accountId), wanted.map((each) => each.id)])
  return new Map(rows.map((row) => [row.id, contactOf(row)]))
}

const join = statement(
  'join_contacts',
  `update contact set merged_into = joined.into_id, former_ids = '{}'
  from unnest($1::uuid[], $2::uuid[], $3::uuid[]) as joined (account_id, id, into_id)
  where contact.account_id = joined.account_id and contact.id = joined.id`,
)

const lead = statement(
  'add_former_contacts',
  `update contact set former_ids = array(select id from unnest(contact.former_ids || joined.ids) as former (id) order by id)
  from (
    select account_id, into_id, array_agg(id) as ids
    from unnest($1::uuid[], $2::uuid[], $3::uuid[]) as joined (account_id, id, into_id)
    group by account_id, into_id
  ) as joined
  where contact.account_id = joined.account_id and contact.id = joined.into_id`,
)

/** Lets people lead to those who they turned out to be: also all who led to them before. The people are locked. */
export async function writeJoined(tx: Tx, joined: readonly { accountId: Uuid; id: Uuid; intoId: Uuid }[]): Promise<void> {
  if (joined.length === 0) return
  const values = [joined.map((each) => each.accountId), joined.map((each) => each.id), joined.map((each) => each.intoId)]
  await tx.run(join, values)
  await tx.run(lead, values)
}
