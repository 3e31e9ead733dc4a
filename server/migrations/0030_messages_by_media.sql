-- concurrently
-- Which messages have a file, asked before the file goes. Running code tolerates it.
create index concurrently message_by_media on message (account_id, media_id) where media_id is not null;
