import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type LocalReceiver, localReceiver } from '../../src/features/webhooks/local-receiver.ts'
import { makeKey, type TestAccount } from '../support/accounts.ts'
import { change, deliverOne, disable, ladderOver, openWebhook, recordOf } from '../support/deliveries.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { nobodys } from '../support/texts.ts'

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

const longAgo = '2020-01-01T00:00:00Z'
const retryAll = (webhookId: string, body: unknown = { since: longAgo }, key: string | null = account.live) =>
  gateway.call('POST', `/v1/webhooks/${webhookId}/deliveries/retry`, { key, body })

describe('202', () => {
  test('with how many; those that have failed since are posted again, and no others', async () => {
    const own = await gateway.account()
    const made = await deliverOne(gateway, own, receiver)
    const old = made.deliveryId
    const records = []
    for (let i = 0; i < 3; i += 1) {
      const wamid = await gateway.letWrite(own, gateway.newPerson())
      records.push(await recordOf(gateway, own, made.webhookId, (each) => each.payload.data.wamid === wamid && each.attempts.length === 1))
    }
    const [first, second] = records
    for (const id of [old, first.id, second.id]) await change(gateway, ladderOver, id)
    const { status, body } = await retryAll(made.webhookId, { since: first.created_at }, own.live)
    expect([status, body]).toEqual([202, { retried: 2 }])
    const failed = async () =>
      (await gateway.call('GET', `/v1/webhooks/${made.webhookId}/deliveries`, { key: own.live, query: { status: 'failed' } })).body.data
    while ((await failed()).length > 1) {
      const seen = gateway.observations.all.length
      if ((await failed()).length > 1)
        await gateway.observations.until((each) => each.kind === 'webhook.attempt' && gateway.observations.all.indexOf(each) >= seen)
    }
    expect((await failed()).map((each: { id: string }) => each.id)).toEqual([old])
    expect(receiver.of(made.path)).toHaveLength(6)
  })

  test('with none where nothing has failed, or not since then', async () => {
    const own = await gateway.account()
    const made = await deliverOne(gateway, own, receiver)
    expect((await retryAll(made.webhookId, undefined, own.live)).body).toEqual({ retried: 0 })
    await change(gateway, ladderOver, made.deliveryId)
    expect((await retryAll(made.webhookId, { since: '2099-01-01' }, own.live)).body).toEqual({ retried: 0 })
  })
})

test.each<[field: string, when: string, body: unknown]>([
  ['since', 'is missing', {}],
  ['since', 'is null', { since: null }],
  ['since', 'is a number', { since: 1_700_000_000 }],
  ['since', 'is no time', { since: 'yesterday' }],
  ['since', 'is no day', { since: '2026-02-30T00:00:00Z' }],
  ['until', 'is given', { since: longAgo, until: longAgo }],
])('400 invalid_request names %s when it %s', async (field, _when, body) => {
  const answer = await retryAll(nobodys('whk'), body)
  expect([answer.status, answer.body.error.code, answer.body.error.details[0].field]).toEqual([400, 'invalid_request', field])
})

test('400 invalid_request without a body', async () => {
  const answer = await gateway.call('POST', `/v1/webhooks/${nobodys('whk')}/deliveries/retry`, { key: account.live })
  expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_request'])
})

test('401, 403 for a test key and for a key without webhooks:write', async () => {
  const key = await makeKey(gateway.deps, account.uuid, { livemode: true, scopes: ['messages:send'] })
  const answers = [null, account.test, key.secret].map((each) => retryAll(nobodys('whk'), undefined, each))
  expect((await Promise.all(answers)).map((each) => each.body.error.code)).toEqual(['unauthorized', 'forbidden', 'forbidden'])
})

test('404 not_found for what nobody has and for another account’s webhook', async () => {
  const theirs = await openWebhook(gateway, await gateway.account(), receiver)
  for (const id of [nobodys('whk'), 'x', theirs.webhookId]) {
    const { status, body } = await retryAll(id)
    expect([id, status, body.error.code]).toEqual([id, 404, 'not_found'])
  }
})

test('409 conflict for a disabled webhook', async () => {
  const own = await gateway.account()
  const { webhookId } = await openWebhook(gateway, own, receiver)
  await disable(gateway, own, webhookId)
  const { status, body } = await retryAll(webhookId, undefined, own.live)
  expect([status, body.error.code]).toEqual([409, 'conflict'])
})
