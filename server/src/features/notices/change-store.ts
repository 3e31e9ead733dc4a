import type { Clock } from '../../base/clock.ts'
import type { Uuid } from '../../base/id.ts'
import { biteRows, inBites } from '../../platform/database/bites.ts'
import type { Queries, Tx } from '../../platform/database/database.ts'
import { statement } from '../../platform/database/statement.ts'

/** A change as one account is told it; `digest` stands for its WABA, field, value and time. */
export type ChangeKey = { accountId: Uuid; digest: Buffer }

const claim = statement(
  'claim_notice_changes',
  // Of two transactions the second waits for the first and claims nothing. Ordered, so that they never wait for each other in a ring.
  `insert into notice_change (account_id, digest, taken_at)
  select account_id, digest, $3 from unnest($1::uuid[], $2::bytea[]) as told (account_id, digest)
  order by account_id, digest
  on conflict do nothing
  returning account_id, digest`,
)

/** rule: changes 2. Writes down which changes are taken in, and answers those that were not before, in the transaction of all that they do. */
export async function claimChanges<Key extends ChangeKey>(tx: Tx, now: Date, told: readonly Key[]): Promise<Key[]> {
  if (told.length === 0) return []
  const firsts = new Map(told.toReversed().map((each) => [placeOf(each), each]))
  const wanted = told.filter((each) => firsts.get(placeOf(each)) === each)
  const rows = await tx.run<{ account_id: Uuid; digest: Buffer }>(claim, [
    wanted.map((each) => each.accountId),
    wanted.map((each) => each.digest),
    now,
  ])
  const fresh = new Set(rows.map((row) => placeOf({ accountId: row.account_id, digest: row.digest })))
  return wanted.filter((each) => fresh.has(placeOf(each)))
}

const placeOf = ({ accountId, digest }: ChangeKey) => `${accountId} ${digest.toString('latin1')}`

const drop = statement(
  'drop_old_notice_changes',
  `with old as (select account_id, digest from notice_change where taken_at <= $1 order by taken_at limit $2 for update skip locked)
  delete from notice_change using old where notice_change.account_id = old.account_id and notice_change.digest = old.digest
  returning 1`,
)

const dropMsMax = 10_000

/** Forgets changes that were taken in until `before`; true: after 10 s more are left. */
export function dropChanges(queries: Queries, clock: Clock, before: Date): Promise<boolean> {
  return inBites(clock, dropMsMax, async () => (await queries.run(drop, [before, biteRows])).length)
}
