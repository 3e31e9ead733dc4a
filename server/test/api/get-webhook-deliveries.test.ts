import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type LocalReceiver, localReceiver } from '../../src/features/webhooks/local-receiver.ts'
import { makeKey, type TestAccount } from '../support/accounts.ts'
import { change, deliverOne, ladderOver, openWebhook, recordOf } from '../support/deliveries.ts'
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

const list = (webhookId: string, query: Record<string, string | number> = {}, key: string | null = account.live) =>
  gateway.call('GET', `/v1/webhooks/${webhookId}/deliveries`, { key, query })
const dlv = /^dlv_[0-9a-f]{32}$/

describe('200', () => {
  test('with nothing yet is an empty list', async () => {
    const own = await gateway.account()
    const { webhookId } = await openWebhook(gateway, own, receiver)
    expect((await list(webhookId, {}, own.live)).body).toEqual({ object: 'list', data: [], has_more: false })
  })

  test('with the whole record of a delivery that was received', async () => {
    const own = await gateway.account()
    const { webhookId, path } = await deliverOne(gateway, own, receiver)
    const { status, body } = await list(webhookId, {}, own.live)
    const payload = JSON.parse(String(receiver.of(path)[0]?.body))
    expect(status).toBe(200)
    expect(body.data).toEqual([
      {
        id: expect.stringMatching(dlv),
        object: 'webhook_delivery',
        webhook_id: webhookId,
        event_id: expect.stringMatching(ids.evt),
        event_type: 'message.received',
        status: 'succeeded',
        attempts: [
          {
            number: 1,
            manual: false,
            created_at: expect.stringMatching(moment),
            status_code: 200,
            duration_ms: expect.any(Number),
            error: null,
            response_body: 'answered 200',
          },
        ],
        next_attempt_at: null,
        created_at: expect.stringMatching(moment),
        payload,
      },
    ])
    expect(body.data[0].event_id).toBe(payload.id)
  })

  // rule: delivery 12
  test('with the payload digit for digit, large numbers too', async () => {
    const own = await gateway.account()
    const { webhookId } = await deliverOne(gateway, own, receiver)
    const [event] = await gateway.deps.database.all<{ body: Buffer }>({
      compile: () => ({ sql: 'select body from event where account_id = $1', parameters: [own.uuid] }) as never,
    })
    const text = String(event?.body).replace('"data":{', '"data":{"z":12345678901234567890,"a":1e2,')
    await gateway.deps.database.all({
      compile: () => ({ sql: 'update event set body = $2 where account_id = $1', parameters: [own.uuid, Buffer.from(text)] }) as never,
    })
    expect((await list(webhookId, {}, own.live)).text).toContain(`"payload":${text}}`)
  })

  test('with the next attempt of one that is pending, and what the receiver answered, up to 1 kB', async () => {
    const own = await gateway.account()
    const { webhookId, path } = await openWebhook(gateway, own, receiver)
    receiver.answer(path, (response) => response.writeHead(503).end('x'.repeat(3_000)))
    await gateway.letWrite(own, gateway.newPerson())
    const record = await recordOf(gateway, own, webhookId, (each) => each.attempts.length === 1)
    expect(record).toMatchObject({ status: 'pending', next_attempt_at: expect.stringMatching(moment) })
    expect(record.attempts[0]).toMatchObject({ status_code: 503, error: null, response_body: 'x'.repeat(1_024) })
    const waitMs = Date.parse(record.next_attempt_at) - Date.parse(record.attempts[0].created_at)
    expect(waitMs).toBeGreaterThanOrEqual(60_000)
    expect(waitMs).toBeLessThan(75_000)
  })

  test('newest first, page by page, by status and by kind', async () => {
    const own = await gateway.account()
    const { webhookId } = await openWebhook(gateway, own, receiver)
    for (let i = 0; i < 5; i += 1) {
      const wamid = await gateway.letWrite(own, gateway.newPerson())
      await recordOf(gateway, own, webhookId, (each) => each.payload.data.wamid === wamid && each.attempts.length === 1)
    }
    const all = (await list(webhookId, {}, own.live)).body.data.map((each: { id: string }) => each.id)
    expect(all).toHaveLength(5)
    expect(all).toEqual(all.toSorted().toReversed())
    const first = await list(webhookId, { limit: 2 }, own.live)
    const second = await list(webhookId, { limit: 3, starting_after: first.body.data[1].id }, own.live)
    expect([first.body.has_more, second.body.has_more]).toEqual([true, false])
    expect([...first.body.data, ...second.body.data].map((each) => each.id)).toEqual(all)

    await change(gateway, ladderOver, all[3])
    const byStatus = async (status: string) =>
      (await list(webhookId, { status }, own.live)).body.data.map((each: { id: string }) => each.id)
    expect(await byStatus('failed')).toEqual([all[3]])
    expect(await byStatus('succeeded')).toEqual(all.toSpliced(3, 1))
    expect([await byStatus('pending'), await byStatus('canceled')]).toEqual([[], []])
    expect((await list(webhookId, { event_type: 'message.received' }, own.live)).body.data).toHaveLength(5)
    expect((await list(webhookId, { event_type: 'message.sent' }, own.live)).body.data).toEqual([])
    expect((await list(webhookId, { starting_after: nobodys('dlv') }, own.live)).status).toBe(200)
  })

  test('with the deliveries of this webhook alone', async () => {
    const own = await gateway.account()
    const one = await deliverOne(gateway, own, receiver)
    const other = await openWebhook(gateway, own, receiver)
    expect((await list(one.webhookId, {}, own.live)).body.data).toHaveLength(1)
    expect((await list(other.webhookId, {}, own.live)).body.data).toEqual([])
  })
})

test.each<[field: string, query: Record<string, string | number>]>([
  ['limit', { limit: 0 }],
  ['limit', { limit: 101 }],
  ['starting_after', { starting_after: 'dlv_1' }],
  ['starting_after', { starting_after: nobodys('msg') }],
  ['status', { status: 'queued' }],
  ['event_type', { event_type: 'message.eaten' }],
  ['event_type', { event_type: '*' }],
  ['colour', { colour: 'red' }],
])('400 invalid_request names %s, for %j', async (field, query) => {
  const { status, body } = await list(nobodys('whk'), query)
  expect([status, body.error.code, body.error.details[0].field]).toEqual([400, 'invalid_request', field])
})

test('401, 403 for a test key and for a key without webhooks:write', async () => {
  const key = await makeKey(gateway.deps, account.uuid, { livemode: true, scopes: ['messages:read'] })
  const answers = [
    await list(nobodys('whk'), {}, null),
    await list(nobodys('whk'), {}, account.test),
    await list(nobodys('whk'), {}, key.secret),
  ]
  expect(answers.map((each) => each.body.error.code)).toEqual(['unauthorized', 'forbidden', 'forbidden'])
})

test('404 not_found for what nobody has, for another account’s webhook and for one that was deleted', async () => {
  const other = await gateway.account()
  const theirs = await openWebhook(gateway, other, receiver)
  const gone = await openWebhook(gateway, account, receiver)
  await gateway.call('DELETE', `/v1/webhooks/${gone.webhookId}`, { key: account.live })
  for (const id of [nobodys('whk'), 'x', nobodys('dlv'), theirs.webhookId, gone.webhookId]) {
    const { status, body } = await list(id)
    expect([id, status, body.error.code]).toEqual([id, 404, 'not_found'])
  }
})
