-- What a call of the log was refused with, and the message that it was about. Columns that may be null: running code tolerates them.
alter table request_log
  -- the code of the contract; null: the call was not refused, or is older than this
  add column error_code text,
  -- null: it was about none, or about one that is told only in bodies
  add column message_id uuid;
