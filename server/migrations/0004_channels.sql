-- The numbers through which an account speaks. New table: running code tolerates it.
create table channel (
  account_id uuid not null references account (id),
  id uuid not null,
  -- One number belongs to one account: a notice names only this id.
  phone_number_id text not null constraint phone_number_id_belongs_to_one_account unique,
  waba_id text not null,
  -- sealed; null once the number was disconnected by the operator
  token bytea,
  status text not null,
  disconnected_because text,
  phone text,
  display_name text,
  name_status text,
  quality text,
  throughput text,
  messaging_limit text,
  official_business_account boolean,
  -- The number also lives in the phone's Business app ("coexistence"): 20 sends a second instead of 50.
  on_business_app boolean not null default false,
  created_at timestamptz not null,
  last_notice_at timestamptz,
  primary key (account_id, id)
);
create index channel_by_waba on channel (waba_id);
