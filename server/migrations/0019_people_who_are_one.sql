-- Two people who turn out to be one, and numbers that people leave and others get. New columns with defaults: the version before can run beside
-- it, but shows joined people as the two that they were.
alter table contact
  -- the person whom this one turned out to be; never of one who was joined in turn: it always leads to the end
  add column merged_into uuid
  -- The older one stays. So nobody can be joined with themselves, and no ring can be made.
  constraint merged_into_an_older_one check (merged_into < id),
  -- all those who turned out to be this person: what was written under them stays where it is, and is found by their ids
  add column former_ids uuid[] not null default '{}',
  add constraint whoever_was_joined_has_nobody check (merged_into is null or former_ids = '{}');

alter table contact_key
  -- Its person has another number or user id now. It still leads to them, until somebody else writes from it.
  add column is_left boolean not null default false,
  -- upstream's time of the change that made it left, or came back to it
  add column changed_at timestamptz,
  -- when it came to this person from another one
  add column taken_at timestamptz;
