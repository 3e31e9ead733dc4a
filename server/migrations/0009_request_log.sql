-- Every authenticated API call without its content: who called what, with which answer, how long it took.
-- New table: running code tolerates it.
create table request_log (
  account_id uuid not null,
  id uuid not null,
  request_id text not null,
  key_id uuid not null,
  livemode boolean not null,
  method text not null,
  route text not null,
  status_code smallint not null,
  ms integer not null,
  primary key (account_id, id)
) partition by range (id);
