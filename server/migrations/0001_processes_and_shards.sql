-- Which process owns which share of the background work. New tables: running code tolerates it.

-- A heartbeat a process: written every 3 s, good for 10 s by the database's clock.
create table process (
  id uuid primary key,
  host text not null,
  pid integer not null,
  started_at timestamptz not null,
  alive_until timestamptz not null
);

-- Written only when an owner changes, so that fences (`for share`) never wait for a heartbeat.
-- The number of shards can never change: rows of the queues carry their shard.
create table shard (
  shard smallint primary key constraint shard_is_one_of_256 check (shard between 0 and 255),
  owner uuid,
  epoch bigint not null default 0
) with (fillfactor = 70);

insert into shard (shard) select generate_series(0, 255);
