-- A known text, sealed with the key of this installation: a start with another key is refused before it takes anything.
-- New table: running code tolerates it, and does not look at it.
create table key_check (
  one boolean primary key default true constraint there_is_one_key_check check (one),
  sealed bytea not null
);
