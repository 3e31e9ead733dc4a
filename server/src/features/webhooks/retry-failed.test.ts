import type { ServerResponse } from 'node:http'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type DeliveryStage, done, openDeliveryStage } from '../../../test/support/delivery-stage.ts'
import { present } from '../../base/assert.ts'
import type { Uuid } from '../../base/id.ts'
import type { Database } from '../../platform/database/database.ts'
import { retryFailed } from './retry-failed.ts'
import type { Webhook } from './webhook.ts'

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

/** Records events whose deliveries have failed; the lanes never see them. */
async function failed(webhook: Webhook, count: number): Promise<void> {
  await stage.run('update webhook set enabled = true where id = $1', [webhook.id])
  await stage.stop()
  for (let left = count; left > 0; left -= 500) await stage.record(account, Math.min(left, 500))
  await stage.run(`update delivery set status = 'failed', attempt = 6, attempts = 6, next_at = null where webhook_id = $1`, [webhook.id])
}

const since = (ms = 60_000) => new Date(stage.clock.now().getTime() - ms)
const retryAll = (webhook: Webhook, from = since(), database: Database = stage.database) =>
  retryFailed(
    { database, clock: stage.clock, wakeDeliveries: (hints) => stage.lanes.wake(hints) },
    { accountId: webhook.accountId, webhookId: webhook.id, since: from },
  )

describe('retrying all that has failed', () => {
  // rule: delivery 11
  test('posts each of them one at a time, and none that was made before or has not failed', async () => {
    let atOnce = 0
    let most = 0
    stage.receiver.answer('/all', (response) => {
      atOnce += 1
      most = Math.max(most, atOnce)
      setImmediate(() => {
        atOnce -= 1
        response.end()
      })
    })
    const webhook = await stage.webhook(account, '/all')
    await failed(webhook, 5)
    stage.clock.advance(1)
    const from = stage.clock.now()
    await failed(webhook, 20)
    const [, , , , , first, second] = await stage.deliveriesOf(webhook)
    await stage.run(`update delivery set status = 'succeeded' where id = $1`, [first?.id])
    await stage.run(`update delivery set attempts = 100 where id = $1`, [second?.id])
    expect(await retryAll(webhook, from)).toEqual({ ok: true, value: 18 })
    // Those that wait already are not counted again.
    expect(await retryAll(webhook, from)).toEqual({ ok: true, value: 0 })
    await stage.restart()
    await stage.attempted(18)
    await stage.until(async () => (await stage.retriesOf(webhook)) === 0)
    expect(stage.receiver.of('/all')).toHaveLength(18)
    expect(most).toBe(1)
    const states = await stage.deliveriesOf(webhook)
    expect(states.filter((each) => each.status === 'failed')).toHaveLength(6)
    expect(states.filter((each) => each.attempts === 7)).toHaveLength(18)
  })

  test('counts nothing against the 60 a minute, and stands back for what is due: live deliveries pass while a retry hangs', async () => {
    const held: ServerResponse[] = []
    stage.receiver.answer('/live', (response) => held.push(response))
    const webhook = await stage.webhook(account, '/live')
    await failed(webhook, 30)
    await stage.restart()
    done(await retryAll(webhook))
    await stage.until(() => held.length === 1)
    stage.receiver.answer('/live', 200)
    stage.observed.length = 0
    await stage.record(account, 100)
    await stage.until(async () => (await stage.deliveriesOf(webhook)).filter((each) => each.status === 'succeeded').length >= 100)
    expect(held).toHaveLength(1)
    expect(await stage.retriesOf(webhook)).toBe(30)
    held[0]?.end()
    await stage.until(async () => (await stage.retriesOf(webhook)) === 0)
    const [one] = await stage.deliveriesOf(webhook)
    expect(stage.receiver.of('/live')).toHaveLength(130)
    expect((await stage.retry(webhook, present(one, 'recorded').id)).ok).toBe(true)
  })

  test('asks the database for no more than a thousand in one transaction', async () => {
    const webhook = await stage.webhook(account, '/many')
    await failed(webhook, 2_500)
    let transactions = 0
    const counting: Database = {
      ...stage.database,
      transaction(work) {
        transactions += 1
        return stage.database.transaction(work)
      },
    }
    expect(await retryAll(webhook, since(), counting)).toEqual({ ok: true, value: 2_500 })
    expect(transactions).toBe(3)
    expect(await stage.retriesOf(webhook)).toBe(2_500)
  })

  test('survives the end of the process half way', async () => {
    const webhook = await stage.webhook(account, '/half')
    await failed(webhook, 12)
    done(await retryAll(webhook))
    const held: ServerResponse[] = []
    stage.receiver.answer('/half', (response) => held.push(response))
    await stage.restart()
    await stage.until(() => held.length === 1)
    held[0]?.end()
    await stage.until(() => held.length === 2)
    stage.receiver.answer('/half', 200)
    held[1]?.end()
    await stage.restart()
    await stage.until(async () => (await stage.retriesOf(webhook)) === 0)
    expect((await stage.deliveriesOf(webhook)).every((each) => each.status === 'succeeded' && each.attempts === 7)).toBe(true)
  })

  test('is refused for a disabled webhook and for one of another account', async () => {
    const webhook = await stage.webhook(account, '/closed')
    expect(await retryAll({ ...webhook, accountId: await stage.account() })).toMatchObject({ refusal: { code: 'not_found' } })
    await stage.run('update webhook set enabled = false where id = $1', [webhook.id])
    expect(await retryAll(webhook)).toMatchObject({ refusal: { code: 'conflict' } })
  })
})
