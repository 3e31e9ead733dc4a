-- Which member of the team opted a person out. A new column: running code tolerates it.
alter table marketing_opt_out add column author uuid;
