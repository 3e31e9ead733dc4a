-- Files go with the last message that had them. New columns and a new table: running code tolerates them.

-- Files that the account gave us itself stay, whatever becomes of the messages that had them. The default is for running code.
alter table media add column uploaded boolean not null default true;
-- Since when nobody gets it any more. Its row and its bytes go a little later.
alter table media add column gone_at timestamptz;

-- Files that a message had and has no longer: looked at, and removed when nothing else has them. A row outlives the row of its file, until the
-- bytes are gone too.
create table media_removal (
  account_id uuid not null,
  media_id uuid not null,
  due_at timestamptz not null,
  tries smallint not null default 0,
  primary key (account_id, media_id)
);
create index media_removal_due on media_removal (due_at);
