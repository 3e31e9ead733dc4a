-- What people do with messages: edits, deletions, reactions; and messages of which nothing is told, because they came from the phone's app,
-- with its history, or are known only by what was told of them. Running code tolerates it: a new table, and columns that have a constant
-- default or none; the version before would tell of statuses of such messages.
alter table message
  -- Neither the message nor its statuses are told: see above. A late original of a person's is told and takes it away.
  add column untold boolean not null default false,
  -- Upstream's moments of the newest edit, and of the deletion.
  add column edited_at timestamptz,
  add column deleted_at timestamptz,
  add constraint deleted_words_are_gone check (deleted_at is null or (text is null and media is null));

-- What each person thinks of a message, with upstream's moment: an earlier one that comes late changes nothing.
create table message_reaction (
  account_id uuid not null,
  message_id uuid not null,
  contact_id uuid not null,
  -- '' when it was taken back
  emoji text not null,
  reacted_at timestamptz not null,
  primary key (account_id, message_id, contact_id)
);
