-- What became of what somebody did in the console, and the names that it was about. New columns with defaults: running code tolerates them.
alter table audit_log
  add column failed boolean not null default false,
  add column about json not null default '{}';
