import { shardOf } from '../../server/src/platform/lanes/shard.ts'
import type { BenchNumber } from './businesses.ts'
import type { Stage } from './stage.ts'

// The rows that accepting would have written, all in one commit: what is measured is how they leave, and not how they came.
const queue = `with person as (
    select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::smallint[])
      with ordinality as person (account_id, channel_id, contact_id, recipient, shard, place)
  ), fresh as materialized (
    select person.*, n, uuidv7() as id from person, generate_series(1, $6::integer) as n
  ), written as (
    insert into message (account_id, id, livemode, channel_id, contact_id, direction, type, kind, status, text, content, source)
    select account_id, id, true, channel_id, contact_id, 'outbound', 'text', 'text', 'queued', n::text,
      json_build_object('text', json_build_object('body', n::text)), 'api'
    from fresh
  )
  insert into send_queue (account_id, message_id, channel_id, livemode, shard, contact_id, recipient, accepted_at, expires_at)
  select account_id, id, channel_id, true, shard, contact_id, recipient, now(), now() + interval '15 minutes'
  from fresh order by n, place`

/** Queues so many texts to each person of these numbers; their words are 1, 2, 3 … in the order in which they must leave. Answers how many. */
export async function queueSends(stage: Stage, numbers: readonly BenchNumber[], each: number): Promise<number> {
  const rows = numbers.flatMap((number) => number.people.map((person) => ({ number, person })))
  await stage.sql(queue, [
    rows.map(({ number }) => number.accountId),
    rows.map(({ number }) => number.channelUuid),
    rows.map(({ person }) => person.contactId),
    rows.map(({ person }) => person.digits),
    rows.map(({ number }) => shardOf(number.accountId, number.channelUuid)),
    each,
  ])
  return rows.length * each
}
