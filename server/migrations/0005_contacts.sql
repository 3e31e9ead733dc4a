-- The people an account talks with, matched by key and never by raw digits. New tables: running code tolerates it.
create table contact (
  account_id uuid not null,
  id uuid not null,
  livemode boolean not null,
  -- canonical digits as shown; '' for a person known by user id only
  phone text not null,
  -- what upstream calls the person; sends are addressed to it once it is known
  wa_id text,
  user_id text,
  name text,
  created_at timestamptz not null,
  primary key (account_id, id)
);

-- Every name under which a person is known: canonical phones (`p:…`) and user ids (`u:…`).
create table contact_key (
  account_id uuid not null,
  livemode boolean not null,
  key text not null,
  contact_id uuid not null,
  primary key (account_id, livemode, key)
);

-- The 24-hour window is per channel and person, by upstream's time of the newest inbound message.
create table contact_window (
  account_id uuid not null,
  channel_id uuid not null,
  contact_id uuid not null,
  last_inbound_at timestamptz not null,
  primary key (account_id, channel_id, contact_id)
) with (fillfactor = 80);
