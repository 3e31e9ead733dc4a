-- Sends may carry a file of ours, which upstream gets before the message leaves. A new column without a default: running code tolerates it.
alter table message add column media_id uuid;
