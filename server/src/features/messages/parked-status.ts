import type { Clock } from '../../base/clock.ts'
import { lowestUuidAt, type Uuid } from '../../base/id.ts'
import { limits } from '../../limits.ts'
import { biteRows, inBites } from '../../platform/database/bites.ts'
import type { Queries, Tx } from '../../platform/database/database.ts'
import { statement } from '../../platform/database/statement.ts'
import type { StatusNotice } from './move.ts'

const park = statement(
  'park_statuses',
  `insert into parked_status (account_id, channel_id, wamid, status, item, livemode, expires_at)
  select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::boolean[], $7::timestamptz[])
  on conflict do nothing`,
)

/** Keeps statuses of messages that we do not have for 24 hours (rule: receive 8). */
export async function parkStatuses(tx: Tx, clock: Clock, statuses: readonly StatusNotice[]): Promise<void> {
  if (statuses.length === 0) return
  const expiresAt = new Date(clock.now().getTime() + limits.parkedStatusMs)
  await tx.run(park, [
    statuses.map((each) => each.accountId),
    statuses.map((each) => each.channelId),
    statuses.map((each) => each.wamid),
    statuses.map((each) => each.status),
    statuses.map((each) => JSON.stringify(each)),
    statuses.map((each) => each.livemode),
    statuses.map(() => expiresAt),
  ])
}

const any = statement('any_parked_status', 'select 1 from parked_status limit 1')

/** Whether anything is parked; mostly not. */
export async function anyParked(queries: Queries): Promise<boolean> {
  return (await queries.run(any, [])).length > 0
}

const look = statement(
  'mark_known_parked_statuses',
  `with bite as materialized (
    select account_id, channel_id, wamid, status from parked_status
    where (account_id, channel_id, wamid, status) > ($1::uuid, $2::uuid, $3::text, $4::text)
    order by account_id, channel_id, wamid, status
    limit $5
  ), found as (
    update parked_status set is_known = true
    where (account_id, channel_id, wamid, status) in (
      select parked.account_id, parked.channel_id, parked.wamid, parked.status
      from bite
      join message_wamid known on known.account_id = bite.account_id and known.channel_id = bite.channel_id and known.wamid = bite.wamid
      join parked_status parked on parked.account_id = bite.account_id and parked.channel_id = bite.channel_id
        and parked.wamid = bite.wamid and parked.status = bite.status
      where not parked.is_known
      for update of parked skip locked)
  )
  select account_id as "accountId", channel_id as "channelId", wamid, status, (select count(*)::integer from bite) as looked_at from bite
  order by account_id desc, channel_id desc, wamid desc, status desc
  limit 1`,
)

/** How far the parked statuses were looked through. */
export type ParkedPlace = { accountId: Uuid; channelId: Uuid; wamid: string; status: string }

const lowest = lowestUuidAt(new Date(0))
export const beforeAllParked: ParkedPlace = { accountId: lowest, channelId: lowest, wamid: '', status: '' }

/**
 * Looks through the next parked statuses for those whose message is known, and answers how far it came: going round, because a message and
 * its status may be written at the same moment and neither see the other. What becomes known otherwise is marked by `insertFreeWamids`.
 */
export async function lookThroughParked(queries: Queries, after: ParkedPlace, most: number): Promise<ParkedPlace> {
  const values = [after.accountId, after.channelId, after.wamid, after.status, most]
  const [last] = await queries.run<ParkedPlace & { looked_at: number }>(look, values)
  return last === undefined || last.looked_at < most ? beforeAllParked : last
}

const unpark = statement(
  'unpark_statuses',
  `delete from parked_status where (account_id, channel_id, wamid, status) in (
    select account_id, channel_id, wamid, status from parked_status
    where is_known
    order by expires_at
    limit $1
    for update skip locked)
  returning item`,
)

type ParkedItem = Omit<StatusNotice, 'at'> & { at: string }

/** Takes out parked statuses whose message has become known. */
export async function takeUnparked(tx: Tx, most: number): Promise<StatusNotice[]> {
  const rows = await tx.run<{ item: string }>(unpark, [most])
  return rows.map((row) => {
    const parked: ParkedItem = JSON.parse(row.item)
    return { ...parked, at: new Date(parked.at) }
  })
}

const drop = statement(
  'drop_parked_statuses',
  `delete from parked_status where (account_id, channel_id, wamid, status) in (
    select account_id, channel_id, wamid, status from parked_status where expires_at <= $1 order by expires_at limit $2 for update skip locked)
  returning 1`,
)

/** Statuses that nobody claimed within 24 hours: another tool's on the same number. */
export async function dropParked(queries: Queries, clock: Clock): Promise<void> {
  const now = clock.now()
  await inBites(clock, dropMsMax, async () => (await queries.run(drop, [now, biteRows])).length)
}

/** It comes again in some seconds. */
const dropMsMax = 1_000
