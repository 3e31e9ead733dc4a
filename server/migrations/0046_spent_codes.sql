-- Codes of an authenticator app that have signed somebody in: each is good once. New table: running code tolerates it.

create table spent_code (
  user_id uuid not null references auth."user" (id) on delete cascade,
  code text not null,
  spent_at timestamptz not null,
  primary key (user_id, code)
);
