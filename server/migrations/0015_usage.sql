-- What each account has used, counted while it happens: a month is read without looking at its messages. A new table; running code does not
-- count, so that what the version before moves while both run is missing: bring it up alone where figures matter.
create table usage (
  account_id uuid not null,
  -- in Brasília time
  day date not null,
  kind text not null constraint usage_kind_is_known
    check (kind in ('accepted', 'sent', 'delivered', 'read', 'failed', 'received', 'counted', 'billable', 'free', 'error')),
  -- the price's category, the failure's code
  detail text not null,
  -- A counter is spread over rows, so that none is hot: their sum counts. 0 is what a past day was folded into.
  part smallint not null,
  -- Below zero where what another row holds was given back here.
  amount integer not null,
  -- the failure as it was told last
  words text,
  primary key (account_id, day, kind, detail, part)
  -- Nothing that changes is indexed, so that a change stays on its page.
) with (fillfactor = 70);

-- What can be folded, oldest first.
create index usage_to_fold on usage (day) where part > 0;
