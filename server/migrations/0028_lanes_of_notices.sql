-- Notices of one number share a lane, and lanes take turns. The version before writes all into lane 0: running code tolerates it.
alter table inbox add column lane smallint not null default 0;

-- The message of a parked status has become known. What the version before does not mark is found by going round.
alter table parked_status add column is_known boolean not null default false;
