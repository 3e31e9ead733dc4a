-- Files that upstream has and that are fetched: what people sent, and media that a send named by upstream's own id. New table: running code
-- tolerates it; files of notices that the version before took in are in the raw notices.
create table file_fetch (
  account_id uuid not null,
  message_id uuid not null,
  channel_id uuid not null,
  livemode boolean not null,
  shard smallint not null,
  upstream_id text not null,
  -- what upstream stated of it; null: nothing
  sha256 bytea,
  mime_type text,
  file_name text,
  kind text not null,
  tries smallint not null default 0,
  next_at timestamptz not null,
  -- Its event went out without it; it can be fetched again by hand.
  given_up boolean not null default false,
  created_at timestamptz not null,
  primary key (account_id, message_id)
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
create index file_fetch_due on file_fetch (shard, account_id, next_at) where not given_up;
