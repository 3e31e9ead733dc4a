-- People who want no marketing messages. New table: running code tolerates it.
create table marketing_opt_out (
  account_id uuid not null,
  contact_id uuid not null,
  livemode boolean not null,
  -- The person's canonical phone, or the user id of one who has none: what the list is ordered and continued by.
  person text collate "C" not null,
  source text not null
    constraint opt_out_source_is_known check (source in ('api', 'person', 'upstream', 'console', 'keyword')),
  created_at timestamptz not null,
  primary key (account_id, contact_id)
);

-- Partial, so that no look-up by key is served by it: a plan is often made while a table is empty.
create index marketing_opt_out_list on marketing_opt_out (account_id, livemode, person) where livemode is not null;
