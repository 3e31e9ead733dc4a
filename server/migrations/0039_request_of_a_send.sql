-- Which call asked for a send: the log line of each upstream call names it. A new column without a default: running code tolerates it.
alter table send_queue add column request_id uuid;
