import { parseId } from '../../../server/src/base/id.ts'
import { shardOf } from '../../../server/src/platform/lanes/shard.ts'
import { uuidOf } from '../../histories.ts'
import { forgetQueue } from '../forget-queue.ts'
import type { Scenario } from '../scenario.ts'

const backlog = 10_000

/** The rows that accepting would have written. */
const queue = `
  with person as (
    select id, phone, row_number() over (order by id) as place from contact where account_id = $1
  ), fresh as materialized (
    select person.id as contact_id, phone, uuidv7() as id from generate_series(1, $4::int) as n
    join person on person.place = 1 + n % (select count(*) from person)
  ), written as (
    insert into message (account_id, id, livemode, channel_id, contact_id, direction, type, kind, status, text, content, source)
    select $1, id, true, $2, contact_id, 'outbound', 'text', 'text', 'queued', 'Oi', '{"text":{"body":"Oi"}}', 'api' from fresh
  )
  insert into send_queue (account_id, message_id, channel_id, livemode, shard, contact_id, recipient, accepted_at, expires_at)
  select $1, id, $2, true, $3, contact_id, trim(leading '+' from phone), now(), now() + interval '15 minutes' from fresh`

export const numberBacklog: Scenario = {
  name: 'a number has 10,000 sends to send',
  resource: 'lanes',
  async begin(town) {
    const noisy = await town.newcomer()
    const { accountId, channelId } = noisy
    const [account, channel] = [parseId('acc', accountId), parseId('ch', channelId)]
    if (account === null || channel === null) throw new Error('bug: ids of our own')
    await town.rows(queue, [uuidOf(accountId), uuidOf(channelId), shardOf(account, channel), backlog])
    return () => forgetQueue(town, noisy)
  },
}
