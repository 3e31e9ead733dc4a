import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LocalReceiver, localReceiver } from '../../src/features/webhooks/local-receiver.ts'
import { deliverOne } from '../support/deliveries.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { memberOf } from '../support/team.ts'

let gateway: TestGateway
let receiver: LocalReceiver

beforeAll(async () => {
  receiver = await localReceiver()
  gateway = await startTestGateway()
})
afterAll(async () => {
  await gateway.close()
  await receiver.close()
})

test('200 names the webhooks that fail and since when, until they answer again; to whoever may change them', async () => {
  const account = await gateway.account()
  const call = await memberOf(gateway, account)
  await deliverOne(gateway, account, receiver)
  const failing = await deliverOne(gateway, account, receiver, 500)
  const listed = await call('GET', '/webhooks/health')
  expect([listed.status, listed.body]).toEqual([
    200,
    {
      object: 'list',
      data: [{ object: 'webhook_health', webhook_id: failing.webhookId, failing_since: expect.stringMatching(/Z$/) }],
      has_more: false,
    },
  ])
  expect((await (await memberOf(gateway, await gateway.account()))('GET', '/webhooks/health')).body.data).toEqual([])
  expect((await (await memberOf(gateway, account, 'agent'))('GET', '/webhooks/health')).status).toBe(403)

  receiver.answer(failing.path, 200)
  await call('POST', `/webhooks/${failing.webhookId}/deliveries/${failing.deliveryId}/retry`)
  await expect.poll(async () => (await call('GET', '/webhooks/health')).body.data).toEqual([])
})
