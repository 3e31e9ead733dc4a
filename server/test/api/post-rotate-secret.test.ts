import Stripe from 'stripe'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type LocalReceiver, localReceiver } from '../../src/features/webhooks/local-receiver.ts'
import { makeKey, type TestAccount } from '../support/accounts.ts'
import { deliverOne, openWebhook, recordOf } from '../support/deliveries.ts'
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

const rotate = (webhookId: string, body?: unknown, key: string | null = account.live) =>
  gateway.call('POST', `/v1/webhooks/${webhookId}/rotate-secret`, { key, body })

/** Whether the last event at the path verifies with each secret. */
function verified(path: string, secrets: readonly string[]): boolean[] {
  const receipt = receiver.of(path).at(-1)
  return secrets.map((secret) => {
    try {
      Stripe.webhooks.constructEvent(receipt?.body ?? '', String(receipt?.headers['service-signature']), secret)
      return true
    } catch {
      return false
    }
  })
}

describe('200', () => {
  test('with the webhook and a new secret, shown only here; the old one signs nothing any more', async () => {
    const own = await gateway.account()
    const made = await deliverOne(gateway, own, receiver)
    expect(verified(made.path, [made.secret])).toEqual([true])
    const { status, body } = await rotate(made.webhookId, undefined, own.live)
    const { secret, ...webhook } = body
    const shown = await gateway.call('GET', `/v1/webhooks/${made.webhookId}`, { key: own.live })
    expect([status, webhook]).toEqual([200, shown.body])
    expect(secret).toMatch(/^whsec_.{32,}$/)
    expect(secret).not.toBe(made.secret)
    await gateway.letWrite(own, gateway.newPerson())
    await recordOf(gateway, own, made.webhookId, (each) => each.id !== made.deliveryId && each.attempts.length === 1)
    expect(verified(made.path, [made.secret, secret])).toEqual([false, true])
  })

  test('with an overlap both secrets verify', async () => {
    const own = await gateway.account()
    const { webhookId, secret, path } = await openWebhook(gateway, own, receiver)
    const { body } = await rotate(webhookId, { expire_previous_in: 86_400 }, own.live)
    await gateway.letWrite(own, gateway.newPerson())
    await recordOf(gateway, own, webhookId, (each) => each.attempts.length === 1)
    expect(verified(path, [secret, body.secret])).toEqual([true, true])
    expect(String(receiver.of(path)[0]?.headers['service-signature'])).toMatch(/^t=[0-9]+,v1=[0-9a-f]{64},v1=[0-9a-f]{64}$/)
  })

  test.each([
    ['an empty body', ''],
    ['an empty object', {}],
    ['0', { expire_previous_in: 0 }],
  ])('for %s', async (_what, body) => {
    const own = await gateway.account()
    const made = await openWebhook(gateway, own, receiver)
    expect((await rotate(made.webhookId, body, own.live)).status).toBe(200)
  })

  test('twice at once leaves one of the two secrets in force', async () => {
    const own = await gateway.account()
    const { webhookId, path } = await openWebhook(gateway, own, receiver)
    const both = await Promise.all([rotate(webhookId, {}, own.live), rotate(webhookId, {}, own.live)])
    await gateway.letWrite(own, gateway.newPerson())
    await recordOf(gateway, own, webhookId, (each) => each.attempts.length === 1)
    const secrets = both.map((each) => each.body.secret)
    expect(verified(path, secrets).filter(Boolean)).toHaveLength(1)
  })
})

test.each<[field: string, body: unknown]>([
  ['expire_previous_in', { expire_previous_in: -1 }],
  ['expire_previous_in', { expire_previous_in: 86_401 }],
  ['expire_previous_in', { expire_previous_in: 1.5 }],
  ['expire_previous_in', { expire_previous_in: '60' }],
  ['expire_previous_in', { expire_previous_in: null }],
  ['secret', { secret: 'whsec_mine' }],
])('400 invalid_request names %s, for %j', async (field, body) => {
  const answer = await rotate(nobodys('whk'), body)
  expect([answer.status, answer.body.error.code, answer.body.error.details[0].field]).toEqual([400, 'invalid_request', field])
})

test('401, 403 for a test key and for a key without webhooks:write', async () => {
  const key = await makeKey(gateway.deps, account.uuid, { livemode: true, scopes: ['messages:send'] })
  const answers = [null, account.test, key.secret].map((each) => rotate(nobodys('whk'), undefined, each))
  expect((await Promise.all(answers)).map((each) => each.body.error.code)).toEqual(['unauthorized', 'forbidden', 'forbidden'])
})

test('404 not_found for what nobody has and for another account’s webhook, whose secret stays', async () => {
  const other = await gateway.account()
  const theirs = await openWebhook(gateway, other, receiver)
  for (const id of [nobodys('whk'), 'x', theirs.webhookId]) {
    const { status, body } = await rotate(id)
    expect([id, status, body.error.code]).toEqual([id, 404, 'not_found'])
  }
  await gateway.letWrite(other, gateway.newPerson())
  await recordOf(gateway, other, theirs.webhookId, (each) => each.attempts.length === 1)
  expect(verified(theirs.path, [theirs.secret])).toEqual([true])
})
