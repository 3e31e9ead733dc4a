-- What the team has sent before, counted. It locks no row and no table that sends need, however long it reads `message`.
alter table usage validate constraint usage_kind_is_known;

-- What was sent before: `message` is read once. Row 0 of each counter is nobody's but folding's.
with counts as (
  select account_id, status, pricing_billable, left(coalesce(pricing_category, 'unknown'), 200) as category,
    coalesce(error_code::text, left(error_message, 200)) as error, left(error_message, 1000) as words,
    (uuid_extract_timestamp(id) at time zone 'America/Sao_Paulo')::date as created_day,
    (sent_at at time zone 'America/Sao_Paulo')::date as sent_day, (failed_at at time zone 'America/Sao_Paulo')::date as failed_day
  from message
  where livemode and direction = 'outbound' and source <> 'api'
), found as (
  select account_id, created_day as day, 'team_accepted' as kind, '' as detail, null as words from counts
  union all select account_id, created_day, 'team_' || status, '', null from counts where status <> 'queued'
  union all select account_id, sent_day, 'team_counted', '', null from counts where sent_day is not null and status <> 'failed'
  union all select account_id, sent_day, case when pricing_billable then 'team_billable' else 'team_free' end, category, null from counts
    where sent_day is not null and status <> 'failed' and pricing_billable is not null
  union all select account_id, failed_day, 'team_error', error, words from counts where status = 'failed' and failed_day is not null
)
insert into usage (account_id, day, kind, detail, part, amount, words)
select account_id, day, kind, detail, 0, count(*)::integer, max(words) from found group by account_id, day, kind, detail;
