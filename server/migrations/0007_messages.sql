-- Messages, the queue of sends, the history of upstream calls, idempotency. New tables: running code tolerates it.
create table message (
  account_id uuid not null,
  -- holds the moment of creation: what the contract calls created_at
  id uuid not null,
  livemode boolean not null,
  channel_id uuid not null,
  contact_id uuid not null,
  direction text not null constraint direction_is_known check (direction in ('inbound', 'outbound')),
  -- the type that the contract shows
  type text not null,
  -- the type that the caller or upstream used, where it is another one ('contacts', 'interactive', …)
  kind text not null,
  status text not null constraint status_is_known check (status in ('queued', 'sent', 'delivered', 'read', 'failed', 'received')),
  text text,
  -- {url, mime_type, file_name, size_bytes}
  media json,
  -- what is posted upstream beside the address: the caller's own words, digit for digit
  content json,
  reply_to uuid,
  -- a quoted wamid that we do not know is passed on as it is
  reply_to_wamid text,
  button_reply_id text,
  client_reference text,
  source text not null constraint source_is_known check (source in ('api', 'crm', 'ai', 'chat')),
  wamid text,
  pricing_category text,
  pricing_billable boolean,
  error_code integer,
  error_message text,
  -- The send may or may not have reached upstream: only a status notice can tell, and it may still come.
  outcome_unknown boolean not null default false,
  sent_at timestamptz,
  delivered_at timestamptz,
  read_at timestamptz,
  failed_at timestamptz,
  meta json,
  primary key (account_id, id),
  constraint inbound_is_received check ((direction = 'inbound') = (status = 'received')),
  constraint sent_at_only_of_outbound check (direction = 'outbound' or sent_at is null),
  constraint queued_has_not_left check (status <> 'queued' or sent_at is null),
  constraint sent_has_its_moment check (status <> 'sent' or sent_at is not null),
  constraint failed_says_why check (status <> 'failed' or error_message is not null)
) partition by range (id);
create index message_list on message (account_id, livemode, id);
create index message_by_contact on message (account_id, contact_id, id);
create index message_by_reference on message (account_id, client_reference, id) where client_reference is not null;

-- Never time-partitioned: a unique index cannot span time partitions.
create table message_wamid (
  account_id uuid not null,
  channel_id uuid not null,
  wamid text not null,
  message_id uuid not null,
  primary key (account_id, channel_id, wamid)
) partition by hash (account_id);
create table message_wamid_0 partition of message_wamid for values with (modulus 4, remainder 0);
create table message_wamid_1 partition of message_wamid for values with (modulus 4, remainder 1);
create table message_wamid_2 partition of message_wamid for values with (modulus 4, remainder 2);
create table message_wamid_3 partition of message_wamid for values with (modulus 4, remainder 3);

-- Small and hot: a row lives from the 202 until the outcome is known.
create table send_queue (
  account_id uuid not null,
  message_id uuid not null,
  channel_id uuid not null,
  livemode boolean not null,
  -- acceptance order; a lower one may commit later, so nothing ever scans by a cursor on it
  seq bigint generated always as identity,
  shard smallint not null,
  contact_id uuid not null,
  -- the digits or user id that the caller gave
  recipient text not null,
  -- 0 queued, 1 in flight, 2 unknown
  state smallint not null default 0 constraint send_state_is_known check (state between 0 and 2),
  attempt smallint not null default 0,
  epoch bigint,
  accepted_at timestamptz not null,
  expires_at timestamptz not null,
  not_before timestamptz,
  intent_at timestamptz,
  primary key (account_id, message_id),
  constraint in_flight_has_an_intent check (state = 0 or intent_at is not null)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);
create index send_queue_lane on send_queue (shard, account_id, channel_id, livemode, seq) where state = 0;
create index send_queue_open on send_queue (shard, state) where state > 0;

-- Every upstream call; kept and dropped with its message: the partition key is the message's id.
create table send_attempt (
  account_id uuid not null,
  message_id uuid not null,
  n smallint not null,
  started_at timestamptz not null,
  ms integer not null,
  outcome text not null,
  status_code smallint,
  code integer,
  primary key (account_id, message_id, n)
) partition by range (message_id);

create table idempotency (
  account_id uuid not null,
  livemode boolean not null,
  key text not null,
  body_hash bytea not null,
  status_code smallint not null,
  -- the first answer, byte for byte
  response text not null,
  expires_at timestamptz not null,
  primary key (account_id, livemode, key)
) partition by hash (account_id);
create table idempotency_0 partition of idempotency for values with (modulus 4, remainder 0);
create table idempotency_1 partition of idempotency for values with (modulus 4, remainder 1);
create table idempotency_2 partition of idempotency for values with (modulus 4, remainder 2);
create table idempotency_3 partition of idempotency for values with (modulus 4, remainder 3);
create index idempotency_expiry on idempotency (expires_at);
