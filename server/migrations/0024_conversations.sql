-- The team's inbox: what happens to messages as a feed, conversations and the search that are made from it, notes and canned answers. New tables,
-- filled beside the old ones: running code tolerates them. What it writes meanwhile is found by the sweep with which following begins.
create extension if not exists pg_trgm;
create extension if not exists btree_gin;

-- What one transaction did to the messages of an account. Read in the order of (xid, id), and only where every transaction that has or
-- could get a lower xid has ended: so nothing that commits late is passed over.
create table message_change (
  account_id uuid not null,
  id uuid not null,
  livemode boolean not null,
  xid xid8 not null default pg_current_xact_id(),
  -- written, or told from now on
  new_ids uuid[] not null,
  -- moved to another status
  moved_ids uuid[] not null,
  -- other words, a file, a reaction
  changed_ids uuid[] not null,
  -- what the team did with its conversations
  conversation_ids uuid[] not null,
  primary key (account_id, id)
) partition by range (id);
create index message_change_order on message_change (xid, id);

-- Which member of the team wrote a message. A table of its own: sends of the API cost nothing.
create table message_author (
  account_id uuid not null,
  message_id uuid not null,
  user_id uuid not null,
  primary key (account_id, message_id)
);

-- Our own reaction to a message; an empty emoji: taken back.
create table message_own_reaction (
  account_id uuid not null,
  message_id uuid not null,
  emoji text not null,
  reacted_at timestamptz not null,
  primary key (account_id, message_id)
);

-- How far each follower of the feed has come. While `sweep_id` is set, it reads the messages themselves, whose changes the feed does not have.
create table feed_follower (
  name text primary key,
  xid xid8 not null,
  id uuid not null,
  sweep_account uuid,
  sweep_id uuid,
  constraint a_sweep_has_a_place check ((sweep_account is null) = (sweep_id is null))
) with (fillfactor = 50);
insert into feed_follower (name, xid, id, sweep_account, sweep_id)
select name, '0', '00000000-0000-0000-0000-000000000000', '00000000-0000-0000-0000-000000000000', '00000000-0000-0000-0000-000000000000'
from unnest(array['conversations', 'search']) as follower (name);

create table conversation (
  account_id uuid not null,
  id uuid not null,
  livemode boolean not null,
  channel_id uuid not null,
  contact_id uuid not null,
  last_message_id uuid,
  last_at timestamptz not null,
  last_inbound_at timestamptz,
  -- How many of the person's messages after this one nobody has read; 100 stands for more.
  unread smallint not null default 0,
  read_to uuid,
  state text not null,
  snoozed_until timestamptz,
  assignee uuid,
  labels text[] not null default '{}',
  primary key (account_id, id),
  constraint a_person_has_one_conversation_with_a_number unique (account_id, channel_id, contact_id),
  constraint conversation_state_is_known check (state in ('open', 'closed')),
  constraint only_an_open_one_is_snoozed check (state = 'open' or snoozed_until is null),
  constraint unread_is_bounded check (unread between 0 and 100)
) with (fillfactor = 80);
create index conversation_list on conversation (account_id, livemode, last_at, id);
create index conversation_open on conversation (account_id, livemode, last_at, id) where state = 'open';
create index conversation_assigned on conversation (account_id, livemode, assignee, last_at, id) where assignee is not null;
create index conversation_labelled on conversation (account_id, livemode, last_at, id) where labels <> '{}';

create table conversation_note (
  account_id uuid not null,
  id uuid not null,
  conversation_id uuid not null,
  author uuid not null,
  text text not null,
  primary key (account_id, id)
);
create index note_of_conversation on conversation_note (account_id, conversation_id, id);

create table canned_answer (
  account_id uuid not null references account,
  id uuid not null,
  shortcut text not null,
  text text not null,
  primary key (account_id, id),
  constraint shortcut_is_unique unique (account_id, shortcut)
);

-- The words of messages and people as they are searched: unaccented, in lower case, with a space before, so that the first letters of a word
-- can be looked for. Apart from their tables, which are on the path of every send.
create table message_search (
  account_id uuid not null,
  message_id uuid not null,
  livemode boolean not null,
  channel_id uuid not null,
  contact_id uuid not null,
  words text not null,
  primary key (account_id, message_id)
);
create index message_search_words on message_search using gin (account_id, words gin_trgm_ops);

create table person_search (
  account_id uuid not null,
  contact_id uuid not null,
  livemode boolean not null,
  words text not null,
  primary key (account_id, contact_id)
);
create index person_search_words on person_search using gin (account_id, words gin_trgm_ops);

-- A file that was given up is tried again when somebody asks for it; its message was told before, without it.
alter table file_fetch add column is_again boolean not null default false;
