-- What the team sends from the inbox is counted beside what systems send. The version before can run beside it; it does not count these, so
-- that what it moves meanwhile is missing in the team's figures. Rows are looked at later: this lock keeps every send waiting.
alter table usage drop constraint usage_kind_is_known;
alter table usage add constraint usage_kind_is_known check (kind in (
  'accepted', 'sent', 'delivered', 'read', 'failed', 'received', 'counted', 'billable', 'free', 'error',
  'team_accepted', 'team_sent', 'team_delivered', 'team_read', 'team_failed', 'team_counted', 'team_billable', 'team_free', 'team_error'
)) not valid;
