-- Where events go, the events themselves with the bytes that are signed, and each delivery with its attempts.
-- New tables: running code tolerates it.
create table webhook (
  account_id uuid not null references account (id),
  id uuid not null,
  url text not null,
  events text[] not null,
  enabled boolean not null default true,
  description text,
  -- sealed
  secret bytea not null,
  previous_secret bytea,
  previous_secret_until timestamptz,
  created_at timestamptz not null,
  primary key (account_id, id)
);

-- Due deliveries are found by webhook, so that a dead webhook's million rows are never looked at.
create table webhook_lane (
  account_id uuid not null,
  webhook_id uuid not null,
  shard smallint not null,
  earliest_due timestamptz not null default 'infinity',
  failing_since timestamptz,
  primary key (account_id, webhook_id)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
create index webhook_lane_due on webhook_lane (shard, earliest_due) where earliest_due < 'infinity';

create table event (
  account_id uuid not null,
  id uuid not null,
  type text not null,
  livemode boolean not null,
  -- The exact bytes: jsonb would reorder keys and change numbers.
  body bytea not null,
  created_at timestamptz not null,
  primary key (account_id, id)
) partition by range (id);

create table delivery (
  account_id uuid not null,
  id uuid not null,
  webhook_id uuid not null,
  event_id uuid not null,
  event_type text not null,
  status text not null default 'pending'
    constraint delivery_status_is_known check (status in ('pending', 'succeeded', 'failed', 'canceled')),
  -- automatic attempts that ended; the ladder counts these
  attempt smallint not null default 0,
  -- all attempts that ended, manual ones too; numbers the history
  attempts smallint not null default 0,
  next_at timestamptz,
  created_at timestamptz not null,
  primary key (account_id, id),
  constraint only_a_pending_delivery_has_a_next_attempt check ((status = 'pending') = (next_at is not null))
) partition by range (id);
create index delivery_due on delivery (account_id, webhook_id, next_at) where status = 'pending';
create index delivery_history on delivery (account_id, webhook_id, id);

-- Kept and dropped with its delivery: the partition key is the delivery's id.
create table delivery_attempt (
  account_id uuid not null,
  delivery_id uuid not null,
  n smallint not null,
  manual boolean not null,
  started_at timestamptz not null,
  ms integer not null,
  status_code smallint,
  error text,
  response_head text not null,
  primary key (account_id, delivery_id, n)
) partition by range (delivery_id);
