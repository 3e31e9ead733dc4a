import { present } from '../../server/src/base/assert.ts'
import { parseId, type Uuid } from '../../server/src/base/id.ts'
import { shardOf } from '../../server/src/platform/lanes/shard.ts'
import { apiOf } from '../../server/test/support/processes/api.ts'
import type { Business } from './businesses.ts'
import type { Stage } from './stage.ts'

export type BenchWebhook = { accountId: Uuid; webhookId: Uuid; shard: number }

/** Registers a webhook of each business at the address that `urlOf` gives for its place, through the API. */
export async function registerWebhooks(
  stage: Stage,
  businesses: readonly Business[],
  urlOf: (place: number) => string,
): Promise<BenchWebhook[]> {
  const made: BenchWebhook[] = []
  for (const [place, { accountId, key }] of businesses.entries()) {
    const body = { url: urlOf(place), events: ['message.received'] }
    const answer = await apiOf(stage.gateway.url, key).post('/v1/webhooks', body)
    if (answer.status !== 201) throw new Error(`A webhook was refused: ${JSON.stringify(answer.body)}`)
    const webhookId = present(parseId('whk', answer.body.id), 'the answer names it')
    made.push({ accountId, webhookId, shard: shardOf(accountId, webhookId) })
  }
  return made
}

/** As long as the event of an ordinary text that came in. */
const eventJson = JSON.stringify({
  id: 'msg_019ac8f0a1b27c3d8e4f5a6b7c8d9e0f',
  object: 'message',
  direction: 'inbound',
  channel_id: 'ch_019ac8f0a1b27c3d8e4f5a6b7c8d9e0f',
  contact: { phone: '5511988770001', name: 'Maria Silva' },
  type: 'text',
  status: 'received',
  text: 'Oi! Vocês entregam hoje? Preciso do pedido até as 18h, se for possível.',
  media: null,
  reply_to: null,
  button_reply_id: null,
  client_reference: null,
  source: 'api',
  wamid: 'wamid.HBgNNTUxMTk4ODc3MDAwMRUCABIYIDNBMDc2RjQ5RkE2QzQyMTlBQjE3AA==',
  pricing: null,
  error: null,
  created_at: '2026-03-02T12:00:00.000Z',
  sent_at: null,
  delivered_at: null,
  read_at: null,
})

/** The body of such an event, for baselines that post the same. */
export const eventBody = `{"id":"evt_019ac8f0a1b27c3d8e4f5a6b7c8d9e0f","object":"event","type":"message.received","api_version":"v1","created_at":"2026-03-02T12:00:00.000Z","livemode":true,"data":${eventJson}}`

// The rows that a commit of `recordEvents` would have written, all in one commit. `$3`: so many events for each account, each of which
// goes to all of its webhooks.
const oweText = `with webhook as (
    select * from unnest($1::uuid[], $2::uuid[], $5::smallint[]) as webhook (account_id, webhook_id, shard)
  ), fresh as materialized (
    select account_id, uuidv7() as id from (select distinct account_id from webhook) as account, generate_series(1, $3::integer)
  ), told as (
    insert into event (account_id, id, type, livemode, body, created_at)
    select account_id, id, 'message.received', true, convert_to(
      '{"id":"evt_' || replace(id::text, '-', '') || '","object":"event","type":"message.received","api_version":"v1","created_at":"'
      || to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '","livemode":true,"data":' || $4 || '}', 'UTF8'), now()
    from fresh
  ), owed as (
    insert into delivery (account_id, id, webhook_id, event_id, event_type, next_at, created_at)
    select fresh.account_id, uuidv7(), webhook_id, fresh.id, 'message.received', now(), now()
    from fresh join webhook using (account_id)
  )
  insert into webhook_lane (account_id, webhook_id, shard, earliest_due)
  select account_id, webhook_id, shard, now() from webhook order by account_id, webhook_id
  on conflict (account_id, webhook_id) do update set earliest_due = least(webhook_lane.earliest_due, excluded.earliest_due)`

/** Makes so many events for each account, due at each of these webhooks of it. Answers how many deliveries that are. */
export async function oweDeliveries(stage: Stage, webhooks: readonly BenchWebhook[], eventsEach: number): Promise<number> {
  await stage.sql(oweText, [
    webhooks.map((each) => each.accountId),
    webhooks.map((each) => each.webhookId),
    eventsEach,
    eventJson,
    webhooks.map((each) => each.shard),
  ])
  return webhooks.length * eventsEach
}
