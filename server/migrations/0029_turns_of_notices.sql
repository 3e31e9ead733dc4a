-- concurrently
-- Which notices come next, lane by lane; and which parked statuses may be applied. Running code tolerates them.
create index concurrently inbox_turns on inbox (lane, due_at, id) where state = 0;
create index concurrently parked_status_known on parked_status (expires_at) where is_known;
