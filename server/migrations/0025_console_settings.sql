-- What the console shows of keys and calls, and which events tell of a message. Running code tolerates it: columns that it need not fill, and
-- indexes. Writes to events and to the request log wait while their indexes are built.
alter table api_key
  add column name text,
  -- The last characters of the secret, by which people tell their keys apart.
  add column hint text;

-- Calls that failed are few among millions, and asked for by themselves.
create index request_log_failed on request_log (account_id, id) where status_code >= 400;

-- The message that an event tells of; null: another thing, or the event is older than this column.
alter table event add column subject uuid;
create index event_of_subject on event (account_id, subject) where subject is not null;
