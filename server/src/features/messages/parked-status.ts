import type { Clock } from '../../base/clock.ts'
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

const unpark = statement(
  'unpark_statuses',
  `delete from parked_status where (account_id, channel_id, wamid, status) in (
    select parked.account_id, parked.channel_id, parked.wamid, parked.status
    from parked_status parked
    join message_wamid known on known.account_id = parked.account_id and known.channel_id = parked.channel_id and known.wamid = parked.wamid
    limit $1
    for update of parked skip locked)
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
