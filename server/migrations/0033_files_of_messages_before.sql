-- Files that messages brought before are not the account's own. It locks no table, however long it looks: rows of files alone.
update media m
set uploaded = false
where exists (select from message where account_id = m.account_id and media_id = m.id and direction = 'inbound');
