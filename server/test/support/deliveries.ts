import type { LocalReceiver } from '../../src/features/webhooks/local-receiver.ts'
import type { TestAccount } from './accounts.ts'
import type { TestGateway } from './gateway.ts'

/** A webhook at a receiver that answers as the test says, and its delivery of one event, whose first attempt has ended. */
export type Delivered = { webhookId: string; secret: string; path: string; deliveryId: string; eventId: string }

let paths = 0

/** Registers a webhook of the account at a path of its own. */
export async function openWebhook(gateway: TestGateway, account: TestAccount, receiver: LocalReceiver, answer = 200) {
  paths += 1
  const path = `/hook-${paths}`
  receiver.answer(path, answer)
  const body = { url: receiver.urlOf(path), events: ['*'] }
  const made = await gateway.call('POST', '/v1/webhooks', { key: account.live, body })
  if (made.status !== 201) throw new Error(made.text)
  return { webhookId: made.body.id as string, secret: made.body.secret as string, path }
}

/** The same, with one event told. */
export async function deliverOne(gateway: TestGateway, account: TestAccount, receiver: LocalReceiver, answer = 200): Promise<Delivered> {
  const webhook = await openWebhook(gateway, account, receiver, answer)
  await gateway.letWrite(account, gateway.newPerson())
  const record = await recordOf(gateway, account, webhook.webhookId, (each) => each.attempts.length === 1)
  return { ...webhook, deliveryId: record.id, eventId: record.event_id }
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into records field by field.
type DeliveryRecord = any

/** The newest record of a webhook, once it fits: looked for again after each attempt that ends. */
export async function recordOf(
  gateway: TestGateway,
  account: TestAccount,
  webhookId: string,
  fits: (record: DeliveryRecord) => boolean,
): Promise<DeliveryRecord> {
  for (;;) {
    const seen = gateway.observations.all.length
    const { body } = await gateway.call('GET', `/v1/webhooks/${webhookId}/deliveries`, { key: account.live, query: { limit: 1 } })
    const [record] = body.data
    if (record !== undefined && fits(record)) return record
    await gateway.observations.until((each) => each.kind === 'webhook.attempt' && gateway.observations.all.indexOf(each) >= seen)
  }
}

/** Disables a webhook of the account. */
export async function disable(gateway: TestGateway, account: TestAccount, webhookId: string): Promise<void> {
  const { status, text } = await gateway.call('PATCH', `/v1/webhooks/${webhookId}`, { key: account.live, body: { enabled: false } })
  if (status !== 200) throw new Error(text)
}

/** Changes rows that only time would change. */
export async function change(gateway: TestGateway, sql: string, id: string): Promise<void> {
  await gateway.deps.database.all({ compile: () => ({ sql, parameters: [id.slice(4)] }) as never })
}

export const ladderOver = `update delivery set status = 'failed', attempt = 6, next_at = null where id = $1`
