-- Who has shown that a mailbox is theirs. New columns with a constant, and an index: running code tolerates them.

-- Its token went out in a mail and nowhere else.
alter table one_time_link add column mailed boolean not null default false;
alter table invitation add column mailed boolean not null default false;

create index invitation_by_expiry on invitation (expires_at);

-- Who was made by accepting an invitation may have got its link by hand. A link by mail makes up for it.
update auth."user" u
set "emailVerified" = false
from invitation i
where i.email = u.email and i.accepted_at = u."createdAt";
