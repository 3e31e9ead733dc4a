import type { Uuid } from '../../base/id.ts'
import type { CanonicalPhone } from '../../base/phone.ts'
import type { Queries, Tx } from '../../platform/database/database.ts'
import { statement } from '../../platform/database/statement.ts'
import type { Contact, ContactKey } from './contact.ts'

export type KeyedContact = Contact & { ord: number }
type ContactRow = { ord: number; id: Uuid; phone: string; wa_id: string | null; user_id: string | null; name: string | null }

const findByKey = statement(
  'find_contacts_by_key',
  `select wanted.ord::integer as ord, contact.id, contact.phone, contact.wa_id, contact.user_id, contact.name
  from unnest($1::uuid[], $2::boolean[], $3::text[]) with ordinality as wanted (account_id, livemode, key, ord)
  join contact_key known on known.account_id = wanted.account_id and known.livemode = wanted.livemode and known.key = wanted.key
  join contact on contact.account_id = known.account_id and contact.id = known.contact_id`,
)

export type KeyWanted = { accountId: Uuid; livemode: boolean; key: ContactKey }

/** The known ones among them, each with its position (from 1) in the list. */
export async function findContactsByKey(queries: Queries, wanted: readonly KeyWanted[]): Promise<KeyedContact[]> {
  const rows = await queries.run<ContactRow>(findByKey, [
    wanted.map((each) => each.accountId),
    wanted.map((each) => each.livemode),
    wanted.map((each) => each.key),
  ])
  return rows.map((row) => ({ ...contactOf(row), ord: row.ord }))
}

const findById = statement(
  'find_contacts_by_id',
  `select wanted.ord::integer as ord, contact.id, contact.phone, contact.wa_id, contact.user_id, contact.name
  from unnest($1::uuid[], $2::uuid[]) with ordinality as wanted (account_id, id, ord)
  join contact on contact.account_id = wanted.account_id and contact.id = wanted.id`,
)

export async function findContactsById(queries: Queries, wanted: readonly { accountId: Uuid; id: Uuid }[]): Promise<KeyedContact[]> {
  const rows = await queries.run<ContactRow>(findById, [wanted.map((each) => each.accountId), wanted.map((each) => each.id)])
  return rows.map((row) => ({ ...contactOf(row), ord: row.ord }))
}

function contactOf(row: ContactRow): Contact {
  return { id: row.id, phone: row.phone, waId: row.wa_id, userId: row.user_id, name: row.name }
}

export type NewContact = Contact & { accountId: Uuid; livemode: boolean; key: ContactKey; createdAt: Date }

const takeKeysOf = statement(
  'take_contact_keys',
  // Of two transactions the second waits for the first and inserts nothing. Ordered, so that two batches with the same people never wait
  // for each other in a ring.
  `insert into contact_key (account_id, livemode, key, contact_id)
  select account_id, livemode, key, id
  from unnest($1::uuid[], $2::boolean[], $3::text[], $4::uuid[]) as fresh (account_id, livemode, key, id)
  order by account_id, livemode, key
  on conflict do nothing
  returning contact_id`,
)

/** Gives people keys that nobody has yet and answers the contacts that got one; a key that another person holds stays there. */
async function takeKeys(
  tx: Tx,
  wanted: readonly { accountId: Uuid; livemode: boolean; key: ContactKey; contactId: Uuid }[],
): Promise<Set<Uuid>> {
  if (wanted.length === 0) return new Set()
  const rows = await tx.run<{ contact_id: Uuid }>(takeKeysOf, [
    wanted.map((each) => each.accountId),
    wanted.map((each) => each.livemode),
    wanted.map((each) => each.key),
    wanted.map((each) => each.contactId),
  ])
  return new Set(rows.map((row) => row.contact_id))
}

const insertNew = statement(
  'insert_contacts',
  `insert into contact (account_id, id, livemode, phone, wa_id, user_id, name, created_at)
  select account_id, id, livemode, phone, wa_id, user_id, name, created_at
  from unnest($1::uuid[], $2::uuid[], $3::boolean[], $4::text[], $5::text[], $6::text[], $7::text[], $8::timestamptz[])
    as fresh (account_id, id, livemode, phone, wa_id, user_id, name, created_at)`,
)

/**
 * Creates people under keys that nobody has yet and answers the ids of those that it created. The key decides who creates the person:
 * whoever did not get it reads the winner in a later statement.
 */
export async function insertContacts(tx: Tx, fresh: readonly NewContact[]): Promise<Set<Uuid>> {
  const won = await takeKeys(
    tx,
    fresh.map((each) => ({ ...each, contactId: each.id })),
  )
  const created = fresh.filter((each) => won.has(each.id))
  if (created.length === 0) return won
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
  return won
}

export type Learnt = {
  accountId: Uuid
  livemode: boolean
  contactId: Uuid
  keys: readonly ContactKey[]
  waId: string | null
  userId: string | null
  name: string | null
  /** Canonical, of the `waId`. */
  phone: CanonicalPhone | null
}

const updateLearnt = statement(
  'update_learnt_contacts',
  // Writes only what is new: most notices repeat what is known.
  // The phone of a person known by user id only is filled once it is told, and never changed after.
  `update contact set
    phone = learnt.phone,
    wa_id = coalesce(learnt.wa_id, contact.wa_id),
    user_id = coalesce(learnt.user_id, contact.user_id),
    name = coalesce(learnt.name, contact.name)
  from (
    select contact.account_id, contact.id, learnt.wa_id, learnt.user_id, learnt.name,
      coalesce(nullif(contact.phone, ''), learnt.phone, '') as phone
    from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[])
      as learnt (account_id, contact_id, wa_id, user_id, name, phone)
    join contact on contact.account_id = learnt.account_id and contact.id = learnt.contact_id
    where contact.wa_id is distinct from coalesce(learnt.wa_id, contact.wa_id)
      or contact.user_id is distinct from coalesce(learnt.user_id, contact.user_id)
      or contact.name is distinct from coalesce(learnt.name, contact.name)
      or (contact.phone = '' and learnt.phone is not null)
    order by contact.account_id, contact.id
    for update of contact
  ) as learnt
  where contact.account_id = learnt.account_id and contact.id = learnt.id`,
)

/** Adds what upstream told of people: further keys, the wa_id, the user id, the profile name. A key that another person holds stays there. */
export async function updateLearntContacts(tx: Tx, learnt: readonly Learnt[]): Promise<void> {
  await takeKeys(
    tx,
    learnt.flatMap((each) => each.keys.map((key) => ({ ...each, key }))),
  )
  if (learnt.length > 0) {
    await tx.run(updateLearnt, [
      learnt.map((each) => each.accountId),
      learnt.map((each) => each.contactId),
      learnt.map((each) => each.waId),
      learnt.map((each) => each.userId),
      learnt.map((each) => each.name),
      learnt.map((each) => each.phone),
    ])
  }
}

const findWindows = statement(
  'find_contact_windows',
  `select wanted.ord::integer as ord, last_inbound_at
  from unnest($1::uuid[], $2::uuid[], $3::uuid[]) with ordinality as wanted (account_id, channel_id, contact_id, ord)
  join contact_window using (account_id, channel_id, contact_id)`,
)

export type WindowKey = { accountId: Uuid; channelId: Uuid; contactId: Uuid }

export async function findLastInbound(queries: Queries, wanted: readonly WindowKey[]): Promise<{ ord: number; last_inbound_at: Date }[]> {
  return queries.run(findWindows, [
    wanted.map((each) => each.accountId),
    wanted.map((each) => each.channelId),
    wanted.map((each) => each.contactId),
  ])
}

const openWindow = statement(
  'open_contact_windows',
  `insert into contact_window (account_id, channel_id, contact_id, last_inbound_at)
  select account_id, channel_id, contact_id, at
  from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::timestamptz[]) as opened (account_id, channel_id, contact_id, at)
  order by account_id, channel_id, contact_id
  on conflict (account_id, channel_id, contact_id) do update set last_inbound_at = excluded.last_inbound_at
  where contact_window.last_inbound_at < excluded.last_inbound_at`,
)

/** Each key at most once in the list: one statement cannot touch a row twice. */
export async function upsertWindows(tx: Tx, opened: readonly (WindowKey & { at: Date })[]): Promise<void> {
  await tx.run(openWindow, [
    opened.map((each) => each.accountId),
    opened.map((each) => each.channelId),
    opened.map((each) => each.contactId),
    opened.map((each) => each.at),
  ])
}
