-- What upstream tells of numbers and people outside of any message comes in any order and more than once: each fact has the moment at which
-- it was told, each change that was taken in leaves its digest, and a number is read again every hour. Running code tolerates it: new tables,
-- and columns that it need not fill.
alter table channel
  add column quality_at timestamptz,
  add column throughput_at timestamptz,
  add column messaging_limit_at timestamptz,
  add column display_name_at timestamptz,
  add column name_status_at timestamptz,
  add column disconnected_because_at timestamptz,
  -- Whether upstream sends the notices of its WABA to our app; null: not known.
  add column subscribed boolean,
  -- When it was last read from upstream, and when it will be again.
  add column checked_at timestamptz,
  add column check_due_at timestamptz not null default '2000-01-01';
create index channel_check on channel (check_due_at) where token is not null;

create table notice_change (
  account_id uuid not null,
  digest bytea not null,
  taken_at timestamptz not null,
  primary key (account_id, digest)
);
create index notice_change_taken on notice_change (taken_at);

-- The last word on marketing of each person, whoever said it: an opt-out is what it says.
create table marketing_wish (
  account_id uuid not null,
  contact_id uuid not null,
  wanted boolean not null,
  told_at timestamptz not null,
  primary key (account_id, contact_id)
);
insert into marketing_wish (account_id, contact_id, wanted, told_at)
  select account_id, contact_id, false, created_at from marketing_opt_out;
