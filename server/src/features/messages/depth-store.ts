import type { Uuid } from '../../base/id.ts'
import type { Queries } from '../../platform/database/database.ts'
import { statement } from '../../platform/database/statement.ts'

export type SendDepth = { queued: number; inFlight: number; unknown: number; oldestSeconds: number | null }

const readDepth = statement(
  'read_send_depth',
  // Bounded: a queue beyond this is known to be too long, and counting it would only slow it down.
  `select count(*) filter (where state = 0)::integer as queued, count(*) filter (where state = 1)::integer as "inFlight",
    count(*) filter (where state = 2)::integer as unknown,
    extract(epoch from $1::timestamptz - min(accepted_at) filter (where state = 0))::float8 as "oldestSeconds"
  from (select state, accepted_at from send_queue limit 100000) as looked_at`,
)

/** How much waits to be sent, over all accounts, and for how long the oldest has. */
export async function sendDepth(queries: Queries, now: Date): Promise<SendDepth> {
  const [row] = await queries.run<SendDepth>(readDepth, [now])
  return row ?? { queued: 0, inFlight: 0, unknown: 0, oldestSeconds: null }
}

const findOld = statement(
  'find_old_send_queues',
  // A loose index scan: the first send of each lane, which is its oldest, however many wait behind it. Those of test keys hurt nobody.
  `with recursive lane as (
    (select shard, account_id, channel_id, livemode, accepted_at from send_queue
      where state = 0 and shard >= 0
      order by shard, account_id, channel_id, livemode, seq limit 1)
    union all
    select next.* from lane, lateral (
      select shard, account_id, channel_id, livemode, accepted_at from send_queue
      where state = 0 and (shard, account_id, channel_id, livemode) > (lane.shard, lane.account_id, lane.channel_id, lane.livemode)
      order by shard, account_id, channel_id, livemode, seq limit 1) as next
  )
  select distinct account_id from (select * from lane limit 100000) as lane where livemode and accepted_at <= $1 limit $2`,
)

/** The accounts that have a live send that was accepted at `before` or earlier and has not left, at most `most`. */
export async function oldQueues(queries: Queries, before: Date, most: number): Promise<Uuid[]> {
  return (await queries.run<{ account_id: Uuid }>(findOld, [before, most])).map((row) => row.account_id)
}

const readQueueOf = statement(
  'read_send_queue_of_account',
  // By the key: the account's own rows, written so that the index over all lanes cannot serve.
  `select count(*)::integer as waiting, min(accepted_at) as "oldestAt"
  from (select accepted_at from send_queue where account_id = $1 and livemode = $2 and (state + 0) = 0 limit 10000) as looked_at`,
)

/** How much of one account and mode waits to be sent, at most 10,000, and since when the oldest of them. */
export async function queueOf(queries: Queries, accountId: Uuid, livemode: boolean): Promise<{ waiting: number; oldestAt: Date | null }> {
  const [row] = await queries.run<{ waiting: number; oldestAt: Date | null }>(readQueueOf, [accountId, livemode])
  return row ?? { waiting: 0, oldestAt: null }
}
