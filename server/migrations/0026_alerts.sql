-- What is wrong with an account and its owner should know: open from when it is seen until it is over. A new table: running code tolerates it.
create table alert (
  account_id uuid not null references account (id),
  id uuid not null,
  kind text not null constraint alert_kind_is_known
    check (kind in ('channel_token_lost', 'channel_quality_low', 'webhook_failing', 'queue_old')),
  -- The id of the number or webhook, as the contract shows it; empty: the account itself.
  subject text not null,
  opened_at timestamptz not null,
  -- When it was last seen to be wrong.
  held_at timestamptz not null,
  closed_at timestamptz,
  dismissed_at timestamptz,
  -- When the owners are to be told by mail; null: they were, or will not be.
  mail_due_at timestamptz,
  mail_tries smallint not null default 0,
  mailed_at timestamptz,
  primary key (account_id, id)
);
create unique index one_open_alert_of_each on alert (account_id, kind, subject) where closed_at is null;
create index alert_closed on alert (closed_at) where closed_at is not null;
create index alert_mail on alert (mail_due_at) where mail_due_at is not null;
