import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type LocalReceiver, localReceiver } from '../../src/features/webhooks/local-receiver.ts'
import { makeKey, type TestAccount } from '../support/accounts.ts'
import { change, type Delivered, deliverOne, disable, ladderOver, openWebhook, recordOf } from '../support/deliveries.ts'
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

const retry = ({ webhookId, deliveryId }: Pick<Delivered, 'webhookId' | 'deliveryId'>, key: string | null = account.live, body?: unknown) =>
  gateway.call('POST', `/v1/webhooks/${webhookId}/deliveries/${deliveryId}/retry`, { key, body })

describe('202', () => {
  test('with the record as it was; the event is posted again at once and the record shows it', async () => {
    const own = await gateway.account()
    const made = await deliverOne(gateway, own, receiver, 500)
    await change(gateway, ladderOver, made.deliveryId)
    receiver.answer(made.path, 200)
    const { status, body } = await retry(made, own.live)
    expect(status).toBe(202)
    expect(body).toMatchObject({
      id: made.deliveryId,
      object: 'webhook_delivery',
      status: 'failed',
      attempts: [{ number: 1, manual: false }],
    })
    const after = await recordOf(gateway, own, made.webhookId, (each) => each.attempts.length === 2)
    expect(after).toMatchObject({ status: 'succeeded', next_attempt_at: null, payload: body.payload })
    expect(after.attempts[1]).toMatchObject({ number: 2, manual: true, status_code: 200, response_body: 'answered 200' })
    const [first, second] = receiver.of(made.path)
    expect(second?.body).toEqual(first?.body)
  })

  test('for one that has succeeded, with an empty body too', async () => {
    const own = await gateway.account()
    const made = await deliverOne(gateway, own, receiver)
    expect((await retry(made, own.live, '')).status).toBe(202)
    const after = await recordOf(gateway, own, made.webhookId, (each) => each.attempts.length === 2)
    expect(after.status).toBe('succeeded')
  })

  test('for one that is pending: the moment of its next attempt stays when the retry fails', async () => {
    const own = await gateway.account()
    const made = await deliverOne(gateway, own, receiver, 500)
    const { body } = await retry(made, own.live)
    expect(body.status).toBe('pending')
    const after = await recordOf(gateway, own, made.webhookId, (each) => each.attempts.length === 2)
    expect(after).toMatchObject({ status: 'pending', next_attempt_at: body.next_attempt_at })
  })
})

test('400 invalid_request for a body with a field and for a query', async () => {
  const made = { webhookId: nobodys('whk'), deliveryId: nobodys('dlv') }
  expect((await retry(made, account.live, { force: true })).body.error.details[0].field).toBe('force')
})

test('401, 403 for a test key and for a key without webhooks:write', async () => {
  const key = await makeKey(gateway.deps, account.uuid, { livemode: true, scopes: ['messages:send'] })
  const made = { webhookId: nobodys('whk'), deliveryId: nobodys('dlv') }
  const answers = [await retry(made, null), await retry(made, account.test), await retry(made, key.secret)]
  expect(answers.map((each) => each.body.error.code)).toEqual(['unauthorized', 'forbidden', 'forbidden'])
})

test('404 not_found for ids that nobody has, of another account, and of another webhook of the same account', async () => {
  const [own, other] = [await gateway.account(), await gateway.account()]
  const mine = await deliverOne(gateway, own, receiver)
  const theirs = await deliverOne(gateway, other, receiver)
  const beside = await openWebhook(gateway, own, receiver)
  for (const ids of [
    theirs,
    { webhookId: mine.webhookId, deliveryId: theirs.deliveryId },
    { webhookId: beside.webhookId, deliveryId: mine.deliveryId },
    { webhookId: mine.webhookId, deliveryId: nobodys('dlv') },
    { webhookId: mine.webhookId, deliveryId: 'x' },
    { webhookId: 'x', deliveryId: mine.deliveryId },
  ]) {
    const { status, body } = await retry(ids, own.live)
    expect([ids, status, body.error.code]).toEqual([ids, 404, 'not_found'])
  }
  expect(receiver.of(theirs.path)).toHaveLength(1)
})

test('409 conflict while a retry of the delivery waits or is under way; afterwards 202 again', async () => {
  const own = await gateway.account()
  const made = await deliverOne(gateway, own, receiver)
  const held: ServerResponse[] = []
  const arrived = Promise.withResolvers<void>()
  receiver.answer(made.path, (response) => {
    held.push(response)
    arrived.resolve()
  })
  const both = await Promise.all([retry(made, own.live), retry(made, own.live)])
  expect(both.map((each) => each.status).sort()).toEqual([202, 409])
  await arrived.promise
  const during = await retry(made, own.live)
  expect([during.status, during.body.error.code]).toEqual([409, 'conflict'])
  receiver.answer(made.path, 200)
  held[0]?.end()
  await recordOf(gateway, own, made.webhookId, (each) => each.attempts.length === 2)
  expect((await retry(made, own.live)).status).toBe(202)
  await recordOf(gateway, own, made.webhookId, (each) => each.attempts.length === 3)
})

test('409 conflict for a disabled webhook: nothing is posted', async () => {
  const own = await gateway.account()
  const made = await deliverOne(gateway, own, receiver)
  await disable(gateway, own, made.webhookId)
  const { status, body } = await retry(made, own.live)
  expect([status, body.error.code]).toEqual([409, 'conflict'])
  expect(receiver.of(made.path)).toHaveLength(1)
})

test('429 rate_limited with Retry-After for the sixty-first of a minute; another webhook is not held up', async () => {
  const own = await gateway.account()
  const made = await deliverOne(gateway, own, receiver)
  // Fifty-eight of this minute have been made already.
  await change(gateway, 'update webhook set retry_window_started_at = now(), retries_in_window = 58 where id = $1', made.webhookId)
  for (const number of [2, 3]) {
    expect((await retry(made, own.live)).status).toBe(202)
    await recordOf(gateway, own, made.webhookId, (each) => each.attempts.length === number)
  }
  const { status, body, headers } = await retry(made, own.live)
  expect([status, body.error.code]).toEqual([429, 'rate_limited'])
  expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1)
  expect(Number(headers['retry-after'])).toBeLessThanOrEqual(60)
  const beside = await deliverOne(gateway, own, receiver)
  expect((await retry(beside, own.live)).status).toBe(202)
  await recordOf(gateway, own, beside.webhookId, (each) => each.attempts.length === 2)
})
