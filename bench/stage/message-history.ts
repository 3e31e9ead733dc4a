import { makePartitions } from '../../server/src/platform/database/partitions.ts'
import type { BenchNumber } from './businesses.ts'
import type { Stage } from './stage.ts'

/** Over so many days the messages are spread, up to now. */
export const historyDays = 360

const dayMs = 86_400_000
const perStatement = 100_000

// Oldest first, so that indexes grow at their ends, as they do in life. Every tenth has a reference; two in three are sends.
const write = `insert into message (account_id, id, livemode, channel_id, contact_id, direction, type, kind, status, text, content, client_reference,
    source, wamid, pricing_category, pricing_billable, error_code, error_message, sent_at, delivered_at, failed_at)
  select $1, id, true, $2, contact_id, case when is_send then 'outbound' else 'inbound' end, 'text', 'text', status,
    'Oi! Vocês entregam hoje? Preciso do pedido até as 18h, se for possível.',
    case when is_send then '{"text":{"body":"Oi! Vocês entregam hoje? Preciso do pedido até as 18h, se for possível."}}'::json end,
    case when n % 10 = 0 then 'order-' || n end, case when is_send then 'api' else 'chat' end, 'wamid.HBgNNTUxMTk4ODc3MDAwMRUCABIYIDNB' || n,
    case when is_send then 'service' end, case when is_send then false end,
    case when status = 'failed' then 131026 end, case when status = 'failed' then 'Message undeliverable' end,
    case when status = 'delivered' then at end, case when status = 'delivered' then at end, case when status = 'failed' then at end
  from (
    select n, at, uuidv7(at - clock_timestamp()) as id, ($3::uuid[])[1 + n % cardinality($3::uuid[])] as contact_id, n % 3 > 0 as is_send,
      case when n % 3 = 0 then 'received' when n % 100 = 1 then 'failed' else 'delivered' end as status
    from generate_series($4::bigint, $5::bigint) as n,
      lateral (select now() - make_interval(secs => $6 * (1 - n::float8 / $7))) as moment (at)
    order by n
  ) as fresh`

/** Writes so many messages of one number, spread over the year, as receiving and sending would have left them. */
export async function writeHistory(stage: Stage, number: BenchNumber, count: number): Promise<void> {
  const now = stage.deps.clock.now().getTime()
  for (let day = 0; day <= historyDays + 31; day += 25)
    await makePartitions(stage.deps.database, [{ table: 'message', every: 'month', keptDays: null }], new Date(now - day * dayMs))
  const people = number.people.map((each) => each.contactId)
  for (let done = 0; done < count; done += perStatement)
    await stage.sql(write, [
      ...[number.accountId, number.channelUuid, people],
      ...[done + 1, Math.min(done + perStatement, count), historyDays * 86_400, count],
    ])
  await stage.sql('vacuum analyze message')
}
