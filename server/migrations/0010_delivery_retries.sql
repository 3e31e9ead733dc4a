-- Retries that customers asked for, and the minute in which each webhook's are counted: they may be older than what a claim looks at.
-- Running code tolerates it: a new table, and columns with constant defaults. An owner of the version before leaves retries waiting; and
-- writes to deliveries wait while the index of the failed ones is built.
create table delivery_retry (
  account_id uuid not null,
  delivery_id uuid not null,
  -- Tells a retry from the next one of the same delivery, and puts the waiting ones in order.
  id uuid not null,
  webhook_id uuid not null,
  -- One of many that were asked for together: it takes only a slot that nothing else wants.
  paced boolean not null,
  -- One at a time for each delivery.
  primary key (account_id, delivery_id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
create index delivery_retry_waiting on delivery_retry (account_id, webhook_id, paced, id);

-- Whether to look for them: most lanes never have one.
alter table webhook_lane add column has_retries boolean not null default false;

alter table webhook
  add column retry_window_started_at timestamptz,
  add column retries_in_window smallint not null default 0;

create index delivery_failed on delivery (account_id, webhook_id, id) where status = 'failed';
