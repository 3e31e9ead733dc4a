import type { Uuid } from '../../base/id.ts'
import { timelineNow } from './history-store.ts'

/** A claim to own shards, each under an epoch. */
export type FencedShard = { processId: Uuid; shards: ReadonlyMap<number, number> }

/**
 * A common table expression of the shards that the process still owns under these epochs; it takes the parameters 1 to 3.
 * `for share` is essential: with it the intent of a stale owner waits for an open takeover and then finds no row, and a
 * takeover waits for an open intent and then sees it. Without it the stale intent goes through. Heartbeats are
 * written to another table, so that they never wait here.
 * A database whose history went another way since the last beat lets nothing through: its queue may hold sends that have left (rule: queue 7).
 */
export const fence = `fence as materialized (
    select shard.shard, shard.epoch from shard
    join unnest($1::smallint[], $2::bigint[]) as claimed (shard, epoch) on shard.shard = claimed.shard and shard.epoch = claimed.epoch
    where shard.owner = $3
      and exists (select from database_history where is_only and judging_since is null and timeline = ${timelineNow})
    for share of shard)`

/** The values of the parameters 1 to 3. */
export function fenceValues(owner: FencedShard): [number[], number[], Uuid] {
  return [[...owner.shards.keys()], [...owner.shards.values()], owner.processId]
}
