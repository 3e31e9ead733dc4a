/**
 * SQL that writes so many messages of an account ($1) and a number ($2) as a busy day would have left them: two in three were sent and delivered, one in
 * a hundred of those failed, the rest came in. `$3` is how many; $4 how many rows come before these.
 */
export const bulkMessagesSql = `
  insert into message (account_id, id, livemode, channel_id, contact_id, direction, type, kind, status, text, source, wamid, pricing_category,
    pricing_billable, error_code, error_message, sent_at, delivered_at, failed_at)
  select $1::uuid, fresh.id, true, $2::uuid, person.id, case when is_send then 'outbound' else 'inbound' end, 'text', 'text', status,
    'Oi! Vocês entregam hoje? Preciso do pedido até as 18h, se for possível.', case when is_send then 'api' else 'chat' end, 'wamid.BULK' || n,
    case when is_send then 'service' end, case when is_send then false end, case when status = 'failed' then 131026 end,
    case when status = 'failed' then 'Message undeliverable' end, case when status = 'delivered' then at end,
    case when status = 'delivered' then at end, case when status = 'failed' then at end
  from (
    select n, at, uuidv7(at - clock_timestamp()) as id, n % 3 > 0 as is_send,
      case when n % 3 = 0 then 'received' when n % 150 = 1 then 'failed' else 'delivered' end as status
    from generate_series($4::bigint + 1, $4::bigint + $3::bigint) as n,
      lateral (select clock_timestamp() - interval '20 hours' + n * interval '1 millisecond') as moment (at)
  ) as fresh
  cross join lateral (select (people.ids)[1 + n % cardinality(people.ids)] as id
    from (select array_agg(id) as ids from contact where account_id = $1::uuid) as people) as person`

/** What `bulkMessagesSql` has written is known by it. */
export const bulkMessagesAre = "wamid like 'wamid.BULK%'"
