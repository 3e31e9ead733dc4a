-- What upstream tells us, written down before it is answered. New tables: running code tolerates it.
create table inbox (
  id uuid not null,
  livemode boolean not null,
  -- known only for what the simulated upstream of test keys says
  account_id uuid,
  -- the raw body as it came
  body bytea not null,
  -- 0 waiting, 1 worked through
  state smallint not null default 0 constraint notice_state_is_known check (state between 0 and 1),
  tries smallint not null default 0,
  due_at timestamptz not null,
  received_at timestamptz not null,
  primary key (id)
) partition by range (id);
create index inbox_waiting on inbox (due_at, id) where state = 0;

-- One item of a notice (a message, a status, a change) that could not be worked through, with the reason.
create table notice_set_aside (
  id uuid primary key,
  inbox_id uuid not null,
  field text not null,
  item text not null,
  reason text not null,
  created_at timestamptz not null
);

-- Statuses of a wamid that we do not know (yet): tried again for 24 hours.
create table parked_status (
  account_id uuid not null,
  channel_id uuid not null,
  wamid text not null,
  status text not null,
  item text not null,
  livemode boolean not null,
  expires_at timestamptz not null,
  primary key (account_id, channel_id, wamid, status)
);
create index parked_status_expiry on parked_status (expires_at);
