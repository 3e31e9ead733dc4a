-- A process that stops gives its shards back one by one and takes none: the others share out without it. A constant default: no row is rewritten.
alter table process add column retiring boolean not null default false;
