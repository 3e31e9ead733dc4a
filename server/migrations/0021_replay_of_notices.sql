-- Notices can be worked through again: one whose item was set aside, and all since a moment. What lies set aside holds all that this
-- needs, so that it outlives its notice. The version before can run beside it: it leaves state 2 alone, and what it sets aside is replayed
-- from its notice.
alter table inbox drop constraint notice_state_is_known;
-- 0 waiting, 1 worked through, 2 to be worked through again, when nothing else waits
alter table inbox add constraint notice_state_is_known check (state between 0 and 2);
create index inbox_replayed on inbox (due_at, id) where state = 2;

alter table notice_set_aside
  -- what earlier versions kept of it
  alter column item drop not null,
  add column livemode boolean not null default true,
  -- whose it is, as far as that is known
  add column account_id uuid,
  -- a notice of nothing but this item
  add column body bytea,
  -- the phone_number_id that nobody has connected, which is all that keeps the item from being worked through
  add column awaits_number text,
  -- when upstream told it
  add column received_at timestamptz;
update notice_set_aside set received_at = inbox.received_at, livemode = inbox.livemode, account_id = inbox.account_id, body = inbox.body
from inbox
where inbox.id = notice_set_aside.inbox_id;
create index notice_set_aside_of_notice on notice_set_aside (inbox_id);
create index notice_set_aside_awaits on notice_set_aside (awaits_number, id) where awaits_number is not null;
