-- The files of the accounts, what upstream calls them on each number, and how much each account has uploaded today.
-- New tables: running code tolerates it.
create table media (
  account_id uuid not null references account (id),
  id uuid not null,
  -- The part of the permanent url that nobody can guess: 32 random bytes as base64url.
  token text not null,
  sha256 bytea not null,
  kind text not null constraint media_kind_is_known check (kind in ('image', 'audio', 'video', 'document', 'sticker')),
  animated boolean not null,
  mime_type text not null,
  size_bytes bigint not null constraint media_is_not_empty check (size_bytes > 0),
  file_name text,
  created_at timestamptz not null,
  primary key (account_id, id),
  constraint media_token_is_unique unique (token),
  -- The same bytes of one account are one file. Across accounts they are not: each can be deleted by itself.
  constraint media_of_an_account_is_kept_once unique (account_id, sha256)
);

-- An id of upstream's works from the number that uploaded it, for 30 days.
create table media_upstream (
  account_id uuid not null,
  media_id uuid not null,
  channel_id uuid not null,
  upstream_id text not null,
  uploaded_at timestamptz not null,
  primary key (account_id, media_id, channel_id),
  foreign key (account_id, media_id) references media (account_id, id) on delete cascade
);

-- New bytes of the Brasília day; its row is locked while an upload is written down, so that two at once are counted one after the other.
create table media_quota (
  account_id uuid primary key references account (id),
  day date not null,
  bytes bigint not null
);
