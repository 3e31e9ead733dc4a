-- The history of the database under which its queue was judged. New table: running code tolerates it.

create table database_history (
  is_only boolean primary key default true constraint database_history_has_one_row check (is_only),
  -- kept through dumps and restores
  installation uuid not null default gen_random_uuid(),
  -- raised by every beat, and kept outside of the database too: a lower one than outside has been rewound
  value bigint not null default 0,
  -- the timeline that the server writes: it changes at each failover and at each restore to a moment
  timeline text not null,
  -- the cluster that the database lies in: a dump that is read into another one changes it
  cluster text not null,
  -- since when it is judged what of the queue may have left; nothing leaves meanwhile
  judging_since timestamptz,
  -- how often that was done
  judgements integer not null default 0
) with (fillfactor = 50);

insert into database_history (timeline, cluster)
select left(pg_walfile_name(pg_current_wal_lsn()), 8), system_identifier::text from pg_control_system();
