-- Keys of the customers' systems. Only a hash is kept. New table: running code tolerates it.
create table api_key (
  account_id uuid not null references account (id),
  id uuid not null,
  hash bytea not null constraint api_key_hash_is_unique unique,
  livemode boolean not null,
  -- null: all scopes
  scopes text[],
  created_at timestamptz not null,
  last_used_at timestamptz,
  revoked_at timestamptz,
  primary key (account_id, id)
);
