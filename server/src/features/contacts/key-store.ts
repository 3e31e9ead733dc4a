import type { Uuid } from '../../base/id.ts'
import type { Queries, Tx } from '../../platform/database/database.ts'
import { statement } from '../../platform/database/statement.ts'
import { type ContactKey, type KnownKey, placeOf } from './contact.ts'
import { type ContactRow, contactOf, personColumns } from './store.ts'

export type KeyPlace = { accountId: Uuid; livemode: boolean; key: ContactKey }

const placeArrays = (places: readonly KeyPlace[]) => [
  places.map((each) => each.accountId),
  places.map((each) => each.livemode),
  places.map((each) => each.key),
]

const find = statement(
  'find_contact_keys',
  `select known.account_id, known.livemode, known.key, known.is_left, known.changed_at, known.taken_at, ${personColumns}
  from unnest($1::uuid[], $2::boolean[], $3::text[]) as wanted (account_id, livemode, key)
  join contact_key known on known.account_id = wanted.account_id and known.livemode = wanted.livemode and known.key = wanted.key
  join contact named on named.account_id = known.account_id and named.id = known.contact_id
  join contact person on person.account_id = named.account_id and person.id = coalesce(named.merged_into, named.id)`,
)

/** Those of the keys that somebody has, by their places, each with the person whose it is today. */
export async function findKeys(queries: Queries, wanted: readonly KeyPlace[]): Promise<Map<string, KnownKey>> {
  type Row = ContactRow & {
    account_id: Uuid
    livemode: boolean
    key: ContactKey
    is_left: boolean
    changed_at: Date | null
    taken_at: Date | null
  }
  const rows = wanted.length === 0 ? [] : await queries.run<Row>(find, placeArrays(wanted))
  return new Map(
    rows.map((row) => [
      placeOf({ accountId: row.account_id, livemode: row.livemode }, row.key),
      { holder: contactOf(row), isLeft: row.is_left, changedAt: row.changed_at, takenAt: row.taken_at },
    ]),
  )
}

const claim = statement(
  'claim_contact_keys',
  // Of two transactions the second waits for the first and inserts nothing. Ordered, so that two batches with the same people never wait
  // for each other in a ring.
  `insert into contact_key (account_id, livemode, key, contact_id)
  select account_id, livemode, key, id
  from unnest($1::uuid[], $2::boolean[], $3::text[], $4::uuid[]) as fresh (account_id, livemode, key, id)
  order by account_id, livemode, key
  on conflict do nothing
  returning account_id, livemode, key`,
)

/** Gives people keys that nobody has yet and answers the places of those that were free; a key that somebody has stays with them. */
export async function claimKeys(tx: Tx, wanted: readonly (KeyPlace & { contactId: Uuid })[]): Promise<Set<string>> {
  if (wanted.length === 0) return new Set()
  const rows = await tx.run<{ account_id: Uuid; livemode: boolean; key: ContactKey }>(claim, [
    ...placeArrays(wanted),
    wanted.map((each) => each.contactId),
  ])
  return new Set(rows.map((row) => placeOf({ accountId: row.account_id, livemode: row.livemode }, row.key)))
}

/**
 * Two numbers name the lock, so that no other lock of this database is meant; the second is of the account. Accounts that share it by chance
 * merely wait for each other. In one order, so that two batches never wait in a ring.
 */
const lockPlaces = `(
    select distinct hashtext(account_id::text) as place
    from unnest($1::uuid[]) as wanted (account_id)
    order by place
  ) as places`

const lockAll = statement('lock_people', `select pg_advisory_xact_lock(7060003, place) from ${lockPlaces}`)
const lockShared = statement('hold_people', `select pg_advisory_xact_lock_shared(7060003, place) from ${lockPlaces}`)

type OfAccount = { accountId: Uuid }

/**
 * Until commit nobody else joins people of these accounts, or moves their keys. Taken for what is rare, and after keys were claimed,
 * never before: whoever waits for a key then waits for somebody who does not wait for this.
 */
export async function lockPeople(tx: Tx, of: readonly OfAccount[]): Promise<void> {
  await tx.run(lockAll, [of.map((each) => each.accountId)])
}

/** Until commit no two people of these accounts become one: for rows that are kept under a contact's id. Many may hold them at once. */
export async function holdPeople(tx: Tx, of: readonly OfAccount[]): Promise<void> {
  await tx.run(lockShared, [of.map((each) => each.accountId)])
}

const take = statement(
  'take_left_keys',
  `update contact_key set contact_id = taken.contact_id, is_left = false, changed_at = null, taken_at = taken.at
  from unnest($1::uuid[], $2::boolean[], $3::text[], $4::uuid[], $5::timestamptz[]) as taken (account_id, livemode, key, contact_id, at)
  where contact_key.account_id = taken.account_id and contact_key.livemode = taken.livemode and contact_key.key = taken.key`,
)

/** Gives keys that their people had left to others. The people are locked. */
export async function takeLeftKeys(tx: Tx, taken: readonly (KeyPlace & { contactId: Uuid; at: Date })[]): Promise<void> {
  if (taken.length > 0) await tx.run(take, [...placeArrays(taken), taken.map((each) => each.contactId), taken.map((each) => each.at)])
}

const mark = statement(
  'mark_changed_keys',
  `update contact_key set is_left = changed.is_left, changed_at = changed.at
  from unnest($1::uuid[], $2::boolean[], $3::text[], $4::boolean[], $5::timestamptz[]) as changed (account_id, livemode, key, is_left, at)
  where contact_key.account_id = changed.account_id and contact_key.livemode = changed.livemode and contact_key.key = changed.key`,
)

/** Writes whether people have left their keys, and since when, by upstream's time. The people are locked. */
export async function markKeys(tx: Tx, changed: readonly (KeyPlace & { isLeft: boolean; at: Date })[]): Promise<void> {
  if (changed.length > 0) {
    await tx.run(mark, [...placeArrays(changed), changed.map((each) => each.isLeft), changed.map((each) => each.at)])
  }
}
