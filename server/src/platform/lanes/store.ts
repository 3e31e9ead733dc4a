import type { Uuid } from '../../base/id.ts'
import type { Database, Queries } from '../database/database.ts'
import { statement } from '../database/statement.ts'

/** Leases run by the database's clock, which all processes share; ours may be wrong by minutes. */
const leaseSeconds = 10

export type ShardEpoch = { shard: number; epoch: number }

const writeBeat = statement(
  'beat',
  `insert into process (id, host, pid, started_at, retiring, alive_until)
  values ($1, $2, $3, $4, $5, clock_timestamp() + make_interval(secs => ${leaseSeconds}))
  on conflict (id) do update set alive_until = excluded.alive_until, retiring = excluded.retiring`,
)
const findOwned = statement('find_owned_shards', 'select shard, epoch from shard where owner = $1')

type Self = { host: string; pid: number; now: Date; retiring: boolean }

/** Renews this process's lease and returns the shards that the database says are its. A process that is `retiring` has no share any more. */
export async function beat(database: Database, id: Uuid, self: Self): Promise<Map<number, number>> {
  await database.run(writeBeat, [id, self.host, self.pid, self.now, self.retiring])
  const rows = await database.run<ShardEpoch>(findOwned, [id])
  return new Map(rows.map((row) => [row.shard, row.epoch]))
}

const take = statement(
  'take_shards',
  // Locks the rows that it changes: an intent under way (`for share`) is waited for, and is then seen by the new owner.
  `update shard set owner = $1, epoch = epoch + 1
  where shard in (
    select shard from shard
    where owner is null or not exists (select 1 from process where process.id = shard.owner and process.alive_until > clock_timestamp())
    order by shard
    limit $2
    for update)
  returning shard, epoch`,
)

/** Takes up to `count` shards that nobody alive owns, raising their epochs. */
export async function takeShards(queries: Queries, id: Uuid, count: number): Promise<ShardEpoch[]> {
  return queries.run<ShardEpoch>(take, [id, count])
}

const release = statement(
  'release_shards',
  'update shard set owner = null from unnest($2::smallint[], $3::bigint[]) as mine (shard, epoch) where shard.shard = mine.shard and shard.epoch = mine.epoch and shard.owner = $1',
)

export async function releaseShards(queries: Queries, id: Uuid, shards: readonly number[], epochs: readonly number[]): Promise<void> {
  await queries.run(release, [id, shards, epochs])
}

const count = statement('count_processes', 'select count(*) as live from process where alive_until > clock_timestamp() and not retiring')

/** How many processes share the work; never less than one. */
export async function countProcesses(queries: Queries): Promise<number> {
  const rows = await queries.run<{ live: number }>(count, [])
  return Math.max(1, rows[0]?.live ?? 1)
}

const forget = statement('forget_dead_processes', "delete from process where alive_until < clock_timestamp() - interval '1 hour'")

export async function forgetDeadProcesses(queries: Queries): Promise<void> {
  await queries.run(forget, [])
}

const forgetAll = statement('forget_all_processes', 'delete from process')

export async function forgetAllProcesses(queries: Queries): Promise<void> {
  await queries.run(forgetAll, [])
}

const leaveProcess = statement('leave', 'delete from process where id = $1')

export async function leave(queries: Queries, id: Uuid): Promise<void> {
  await queries.run(leaveProcess, [id])
}
