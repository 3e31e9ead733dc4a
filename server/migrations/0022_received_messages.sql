-- Lists of what was received, which are few among millions of sends. `direction` never changes, so that updates stay on their page. A new index:
-- running code tolerates it.
create index message_received on message (account_id, livemode, id) where direction = 'inbound';
