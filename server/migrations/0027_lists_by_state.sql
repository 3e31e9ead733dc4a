-- concurrently
-- Any filter of a list by status, direction and source is a few ranges of one index, however few messages fit it. It takes the place of the two
-- that served such lists before. Partial, by what is always true, so that no look-up by key is served by it. Running code tolerates it: its lists
-- by mode and of what was received are slower until it ends.
create index concurrently message_by_state on message (account_id, livemode, status, source, id) where source <> '';
drop index if exists message_received;
drop index if exists message_list;
