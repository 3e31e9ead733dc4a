import type { Uuid } from '../../base/id.ts'
import type { Tx } from '../../platform/database/database.ts'
import { statement } from '../../platform/database/statement.ts'
import type { Wish } from './opt-out.ts'

const upsertHeard = statement(
  'upsert_heard_wishes',
  // The later word counts, whichever comes first; of two in one second the refusal. The row is locked, so that of two transactions the
  // second sees the word of the first. Ordered, so that two batches never wait for each other in a ring.
  `insert into marketing_wish (account_id, contact_id, wanted, told_at)
  select account_id, contact_id, wanted, told_at
  from unnest($1::uuid[], $2::uuid[], $3::boolean[], $4::timestamptz[]) as heard (account_id, contact_id, wanted, told_at)
  order by account_id, contact_id
  on conflict (account_id, contact_id) do update set wanted = excluded.wanted, told_at = excluded.told_at
    where (marketing_wish.told_at, not marketing_wish.wanted) < (excluded.told_at, not excluded.wanted)
  returning contact_id`,
)

/** What is kept of it. */
export type HeardWish = Omit<Wish, 'livemode' | 'source'>

/** Writes each wish down, one for each person at most, unless a later one is known; answers whose was. */
export async function upsertHeardWishes(tx: Tx, wishes: readonly HeardWish[]): Promise<Set<Uuid>> {
  if (wishes.length === 0) return new Set()
  const rows = await tx.run<{ contact_id: Uuid }>(upsertHeard, [
    wishes.map((each) => each.accountId),
    wishes.map((each) => each.contactId),
    wishes.map((each) => each.wanted),
    wishes.map((each) => each.at),
  ])
  return new Set(rows.map((row) => row.contact_id))
}

const upsertOrdered = statement(
  'upsert_ordered_wish',
  `insert into marketing_wish (account_id, contact_id, wanted, told_at)
  values ($1, $2, $3, $4)
  on conflict (account_id, contact_id) do update
    set wanted = excluded.wanted, told_at = greatest(marketing_wish.told_at, excluded.told_at)`,
)

/** Writes down what a call asked for now: it counts whatever was said before. Call it before the opt-out itself is changed, as everyone does. */
export async function upsertOrderedWish(tx: Tx, { accountId, contactId, wanted, at }: HeardWish): Promise<void> {
  await tx.run(upsertOrdered, [accountId, contactId, wanted, at])
}

const take = statement(
  'take_wishes',
  `delete from marketing_wish using unnest($1::uuid[], $2::uuid[]) as theirs (account_id, contact_id)
  where marketing_wish.account_id = theirs.account_id and marketing_wish.contact_id = theirs.contact_id
  returning marketing_wish.account_id, marketing_wish.contact_id, marketing_wish.wanted, marketing_wish.told_at`,
)

/** Takes the wishes of these contacts out, for whoever they are one with. */
export async function takeWishes(tx: Tx, whose: readonly { accountId: Uuid; contactId: Uuid }[]): Promise<HeardWish[]> {
  if (whose.length === 0) return []
  const rows = await tx.run<{ account_id: Uuid; contact_id: Uuid; wanted: boolean; told_at: Date }>(take, [
    whose.map((each) => each.accountId),
    whose.map((each) => each.contactId),
  ])
  return rows.map((row) => ({ accountId: row.account_id, contactId: row.contact_id, wanted: row.wanted, at: row.told_at }))
}
