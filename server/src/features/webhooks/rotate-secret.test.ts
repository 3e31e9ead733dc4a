import Stripe from 'stripe'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type DeliveryStage, done, openDeliveryStage, secretKey } from '../../../test/support/delivery-stage.ts'
import { present } from '../../base/assert.ts'
import type { Uuid } from '../../base/id.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Receipt } from './local-receiver.ts'
import { rotateSecret } from './rotate-secret.ts'
import type { Webhook } from './webhook.ts'

const { webhooks: verifier } = new Stripe('sk_test_unused')

let stage: DeliveryStage
let account: Uuid
beforeAll(async () => {
  stage = await openDeliveryStage()
})
afterAll(() => stage.close())
beforeEach(async () => {
  account = await stage.account()
})
afterEach(() => stage.reset())

/** Rotates, and lets the second pass after which that is answered. */
async function rotate(webhook: Webhook, previousSeconds = 0): Promise<string> {
  const answered: string[] = []
  const { database, clock } = stage
  void rotateSecret({ database, clock, secretKey }, { accountId: webhook.accountId, id: webhook.id, previousSeconds }).then((rotated) => {
    answered.push(done(rotated).secret)
  })
  await stage.until(() => answered.length === 1)
  return present(answered[0], 'rotated')
}

const verifies = (receipt: Receipt | undefined, secret: string): boolean => {
  try {
    const { body, headers } = present(receipt, 'posted')
    verifier.constructEvent(body, String(headers['service-signature']), secret, 200_000, undefined, stage.clock.now().getTime())
    return true
  } catch {
    return false
  }
}
const last = (path: string) => stage.receiver.of(path).at(-1)
const parts = (receipt: Receipt | undefined) => String(receipt?.headers['service-signature']).split(',').length - 1

// rule: signature 4
test('without an overlap the new secret signs alone from the answer on', async () => {
  const webhook = await stage.webhook(account, '/alone')
  const secret = await rotate(webhook)
  expect(secret).toMatch(/^whsec_.{32,}$/)
  await stage.record(account)
  await stage.attempted(1)
  expect([verifies(last('/alone'), secret), verifies(last('/alone'), webhook.secret), parts(last('/alone'))]).toEqual([true, false, 1])
})

test('with an overlap both sign, the new one first, until it ends; deliveries and retries alike', async () => {
  const webhook = await stage.webhook(account, '/overlap')
  const secret = await rotate(webhook, 3_600)
  await stage.record(account)
  await stage.attempted(1)
  const during = last('/overlap')
  expect([verifies(during, secret), verifies(during, webhook.secret), parts(during)]).toEqual([true, true, 2])
  const [, newFirst] = String(during?.headers['service-signature']).split(',')
  expect(
    verifies(
      {
        ...present(during, 'posted'),
        headers: { 'service-signature': `${String(during?.headers['service-signature']).split(',')[0]},${newFirst}` },
      },
      secret,
    ),
  ).toBe(true)
  const { id } = present((await stage.deliveriesOf(webhook))[0], 'recorded')
  done(await stage.retry(webhook, id))
  await stage.attempted(2)
  expect([verifies(last('/overlap'), secret), verifies(last('/overlap'), webhook.secret)]).toEqual([true, true])

  stage.clock.advance(3_600_000)
  done(await stage.retry(webhook, id))
  await stage.attempted(3)
  expect([verifies(last('/overlap'), secret), verifies(last('/overlap'), webhook.secret), parts(last('/overlap'))]).toEqual([
    true,
    false,
    1,
  ])
})

test('the one before the previous never signs again', async () => {
  const webhook = await stage.webhook(account, '/three')
  const second = await rotate(webhook, 3_600)
  const third = await rotate(webhook, 3_600)
  await stage.record(account)
  await stage.attempted(1)
  expect([webhook.secret, second, third].map((each) => verifies(last('/three'), each))).toEqual([false, true, true])
  const fourth = await rotate(webhook)
  await stage.record(account)
  await stage.attempted(2)
  expect([second, third, fourth].map((each) => verifies(last('/three'), each))).toEqual([false, false, true])
})

test('what was claimed before the rotation is not signed with the old secret after its answer', async () => {
  const claimed = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  const slow: Database = {
    ...stage.database,
    async run(what, values) {
      const rows = await stage.database.run(what, values)
      if (what.name === 'take_due_deliveries' && rows.length > 0) {
        claimed.resolve()
        await goOn.promise
      }
      return rows as never
    },
  }
  const webhook = await stage.webhook(account, '/claimed')
  await stage.restart(slow)
  await stage.record(account)
  await claimed.promise
  const secret = await rotate(webhook)
  expect(stage.receiver.of('/claimed')).toHaveLength(0)
  goOn.resolve()
  await stage.attempted(1)
  expect(stage.receiver.of('/claimed')).toHaveLength(1)
  expect([verifies(last('/claimed'), secret), verifies(last('/claimed'), webhook.secret)]).toEqual([true, false])
})

test('a webhook of another account is not found, and keeps its secret', async () => {
  const webhook = await stage.webhook(account, '/theirs')
  const other = await stage.account()
  const { database, clock } = stage
  expect(await rotateSecret({ database, clock, secretKey }, { accountId: other, id: webhook.id, previousSeconds: 0 })).toMatchObject({
    ok: false,
    refusal: { code: 'not_found' },
  })
  await stage.record(account)
  await stage.attempted(1)
  expect(verifies(last('/theirs'), webhook.secret)).toBe(true)
})
