import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type LocalReceiver, localReceiver } from '../../src/features/webhooks/local-receiver.ts'
import { makeKey, type TestAccount } from '../support/accounts.ts'
import { openWebhook, recordOf } from '../support/deliveries.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { ids, moment, nobodys } from '../support/texts.ts'

let gateway: TestGateway
let receiver: LocalReceiver
let account: TestAccount
beforeAll(async () => {
  receiver = await localReceiver()
  gateway = await startTestGateway()
  account = await gateway.account()
})
afterAll(async () => {
  await gateway.close()
  await receiver.close()
})

const sendTest = (id: string, key: string | null = account.live, body?: unknown) =>
  gateway.call('POST', `/v1/webhooks/${id}/test`, { key, body })

// rule: delivery 15
describe('202', () => {
  test('with the record of its delivery, and a signed message.received comes with livemode false', async () => {
    const own = await gateway.account()
    const events = await gateway.events(own)
    const { status, body: record } = await sendTest(events.webhookId, own.live)
    expect(status).toBe(202)
    expect(record).toMatchObject({
      id: expect.stringMatching(/^dlv_[0-9a-f]{32}$/),
      object: 'webhook_delivery',
      webhook_id: events.webhookId,
      event_id: expect.stringMatching(ids.evt),
      event_type: 'message.received',
      status: 'pending',
      attempts: [],
      created_at: expect.stringMatching(moment),
    })
    // The receiver has verified its signature and held its data against the Message of the contract.
    const event = await events.until((each) => each.id === record.event_id)
    expect(event).toMatchObject({ object: 'event', type: 'message.received', api_version: 'v1', livemode: false })
    expect(record.payload).toEqual(JSON.parse(event.raw))
    expect(Object.keys(event.data).toSorted()).toEqual(
      [
        ...['id', 'object', 'direction', 'channel_id', 'contact', 'type', 'status', 'text', 'media', 'reply_to', 'button_reply_id'],
        ...['client_reference', 'source', 'wamid', 'pricing', 'error', 'created_at', 'sent_at', 'delivered_at', 'read_at', 'meta'],
      ].toSorted(),
    )
    expect(event.data).toMatchObject({ direction: 'inbound', type: 'text', status: 'received', channel_id: own.channel.id })
    expect(event.data.meta).toMatchObject({ from: event.data.contact.phone, id: event.data.wamid, text: { body: event.data.text } })
  })

  test('has the form of a message that a person did send', async () => {
    const own = await gateway.account()
    const events = await gateway.events(own)
    const wamid = await gateway.letWrite(own, gateway.newPerson())
    const real = await events.until((each) => each.data.wamid === wamid)
    const { body } = await sendTest(events.webhookId, own.live)
    const shapeOf = (value: unknown): unknown =>
      value !== null && typeof value === 'object' ? Object.keys(value).toSorted() : typeof value
    const shape = (data: Record<string, unknown>) => Object.fromEntries(Object.entries(data).map(([name, each]) => [name, shapeOf(each)]))
    const { contact: _realContact, meta: realMeta, ...realRest } = real.data
    const { contact, meta, ...rest } = body.payload.data
    expect(shape(rest)).toEqual(shape(realRest))
    expect(Object.keys(contact)).toEqual(expect.arrayContaining(['phone', 'name']))
    for (const name of Object.keys(meta)) expect(Object.keys(realMeta)).toContain(name)
  })

  test('goes to that webhook alone, also when it asks for other kinds', async () => {
    const own = await gateway.account()
    const [asked, other] = [await gateway.events(own, ['message.sent']), await gateway.events(own)]
    const { body } = await sendTest(asked.webhookId, own.live)
    await asked.until((each) => each.id === body.event_id)
    const wamid = await gateway.letWrite(own, gateway.newPerson())
    await other.until((each) => each.data.wamid === wamid)
    expect(other.all.map((each) => each.id)).not.toContain(body.event_id)
  })

  test('for an account without a number', async () => {
    const own = await gateway.account({ channels: 0 })
    const events = await gateway.events(own)
    const { body } = await sendTest(events.webhookId, own.live)
    expect((await events.until((each) => each.id === body.event_id)).data.channel_id).toMatch(ids.ch)
  })

  test('its delivery stands in the history, shows a failure and can be retried', async () => {
    const own = await gateway.account()
    const { webhookId, path } = await openWebhook(gateway, own, receiver, 500)
    const { body } = await sendTest(webhookId, own.live)
    const failed = await recordOf(gateway, own, webhookId, (each) => each.attempts.length === 1)
    expect([failed.id, failed.status, failed.attempts[0].status_code]).toEqual([body.id, 'pending', 500])
    receiver.answer(path, 200)
    const retried = await gateway.call('POST', `/v1/webhooks/${webhookId}/deliveries/${body.id}/retry`, { key: own.live })
    expect(retried.status).toBe(202)
    const record = await recordOf(gateway, own, webhookId, (each) => each.status === 'succeeded')
    expect(record.id).toBe(body.id)
  })

  test('each is an event of its own; no message is kept', async () => {
    const own = await gateway.account()
    const events = await gateway.events(own)
    const answers = await Promise.all(Array.from({ length: 5 }, () => sendTest(events.webhookId, own.live, '')))
    expect(new Set(answers.map((each) => each.body.event_id)).size).toBe(5)
    for (const { body } of answers) await events.until((each) => each.id === body.event_id)
    for (const key of [own.live, own.test]) expect((await gateway.call('GET', '/v1/messages', { key })).body.data).toEqual([])
  })
})

test('409 conflict for a disabled webhook, to which nothing is posted, also later', async () => {
  const own = await gateway.account()
  const events = await gateway.events(own)
  await gateway.call('PATCH', `/v1/webhooks/${events.webhookId}`, { key: own.live, body: { enabled: false } })
  const { status, body } = await sendTest(events.webhookId, own.live)
  expect([status, body.error.code]).toEqual([409, 'conflict'])
  await gateway.call('PATCH', `/v1/webhooks/${events.webhookId}`, { key: own.live, body: { enabled: true } })
  const again = await sendTest(events.webhookId, own.live)
  await events.until((each) => each.id === again.body.event_id)
  expect(events.all).toHaveLength(1)
})

test('400 invalid_request names a body field, which it does not have', async () => {
  const { status, body } = await sendTest(nobodys('whk'), account.live, { event: 'message.sent' })
  expect([status, body.error.code, body.error.details[0].field]).toEqual([400, 'invalid_request', 'event'])
})

test('401 without a key, 403 for a test key and for a key without webhooks:write', async () => {
  const key = await makeKey(gateway.deps, account.uuid, { livemode: true, scopes: ['messages:send'] })
  const answers = await Promise.all([null, account.test, key.secret].map((each) => sendTest(nobodys('whk'), each)))
  expect(answers.map((each) => each.body.error.code)).toEqual(['unauthorized', 'forbidden', 'forbidden'])
})

test('404 not_found for what nobody has and for another account’s webhook, which hears nothing', async () => {
  const other = await gateway.account()
  const theirs = await gateway.events(other)
  for (const id of [nobodys('whk'), 'x', theirs.webhookId]) {
    const { status, body } = await sendTest(id)
    expect([id, status, body.error.code]).toEqual([id, 404, 'not_found'])
  }
  const own = await sendTest(theirs.webhookId, other.live)
  await theirs.until((each) => each.id === own.body.event_id)
  expect(theirs.all).toHaveLength(1)
})
