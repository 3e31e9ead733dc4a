-- A plan is made once for each connection, often while a table is empty, when all indexes that can serve cost the same. So an index that
-- is not for a look-up must not be able to serve it: these are partial, by what is always true, and only a query that names the column
-- (or the state) can use them. Before, messages were looked up by id through all contacts of the account.
-- Running code tolerates it; writes to messages wait while their indexes are built.
drop index message_list;
create index message_list on message (account_id, livemode, id) where livemode is not null;
drop index message_by_contact;
create index message_by_contact on message (account_id, contact_id, id) where contact_id is not null;

-- What has something to do, in the order in which it is paged.
drop index webhook_lane_due;
create index webhook_lane_due on webhook_lane (account_id, webhook_id) where earliest_due < 'infinity';
