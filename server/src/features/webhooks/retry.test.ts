import type { ServerResponse } from 'node:http'
import Stripe from 'stripe'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type DeliveryStage, done, openDeliveryStage, type RegisteredWebhook } from '../../../test/support/delivery-stage.ts'
import { present } from '../../base/assert.ts'
import { lowestUuidAt, newUuid, type Uuid } from '../../base/id.ts'
import type { JsonText } from '../../base/json.ts'
import { limits } from '../../limits.ts'
import { makePartitions } from '../../platform/database/partitions.ts'
import { lockLanes, raiseLanes } from './lane-store.ts'
import { recordEvents } from './record-event.ts'
import { removeWebhook } from './remove.ts'
import { recordRetries } from './retry-store.ts'

const { webhooks: verifier } = new Stripe('sk_test_unused')
const minuteMs = 60_000

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

/** A webhook with one delivery whose first attempt was answered so. */
async function attemptedOnce(path: string, answer: number): Promise<{ webhook: RegisteredWebhook; deliveryId: Uuid }> {
  stage.receiver.answer(path, answer)
  const webhook = await stage.webhook(account, path)
  await stage.record(account, 1, '{"n":12345678901234567890}')
  await stage.attempted(1)
  stage.observed.length = 0
  return { webhook, deliveryId: present((await stage.deliveriesOf(webhook))[0], 'recorded').id }
}

/** What has been asked of a path and waits for the test's answer. */
function heldAnswers(path: string): ServerResponse[] {
  const held: ServerResponse[] = []
  stage.receiver.answer(path, (response) => held.push(response))
  return held
}

const codeOf = (result: Awaited<ReturnType<DeliveryStage['retry']>>) => (result.ok ? 'ok' : result.refusal.code)

describe('a retry', () => {
  // rule: delivery 10
  test('of a delivery that has failed is posted at once, with the same bytes under a new signature, and it has succeeded', async () => {
    const { webhook, deliveryId } = await attemptedOnce('/failed', 500)
    await stage.run(`update delivery set status = 'failed', attempt = 6, attempts = 6, next_at = null where id = $1`, [deliveryId])
    stage.receiver.answer('/failed', 200)
    const record = JSON.parse(done(await stage.retry(webhook, deliveryId)))
    expect(record).toMatchObject({ status: 'failed', next_attempt_at: null, attempts: [{ number: 1, manual: false }] })
    await stage.attempted(1)
    expect(await stage.deliveriesOf(webhook)).toMatchObject([{ status: 'succeeded', attempt: 6, attempts: 7, next_at: null }])
    expect(await stage.attemptsOf(webhook)).toMatchObject([
      { n: 1, manual: false, status_code: 500 },
      { n: 7, manual: true, status_code: 200, response_head: 'answered 200' },
    ])
    expect(await stage.retriesOf(webhook)).toBe(0)
    const [first, second] = stage.receiver.of('/failed')
    expect(second?.body).toEqual(first?.body)
    const header = String(second?.headers['service-signature'])
    verifier.constructEvent(present(second, 'posted').body, header, webhook.secret, 300, undefined, stage.clock.now().getTime())
    expect(stage.observed).toContainEqual(expect.objectContaining({ manual: true, attempt: null, outcome: 'succeeded' }))
  })

  test('of a delivery that has succeeded is posted too, and leaves it succeeded even when it fails', async () => {
    const { webhook, deliveryId } = await attemptedOnce('/succeeded', 200)
    for (const [i, answer] of [200, 500].entries()) {
      stage.receiver.answer('/succeeded', answer)
      done(await stage.retry(webhook, deliveryId))
      await stage.attempted(i + 1)
    }
    expect(await stage.deliveriesOf(webhook)).toMatchObject([{ status: 'succeeded', attempt: 1, attempts: 3, next_at: null }])
    expect((await stage.attemptsOf(webhook)).map((each) => [each.n, each.manual, each.status_code])).toEqual([
      [1, false, 200],
      [2, true, 200],
      [3, true, 500],
    ])
  })

  test('that fails, between any two attempts of the ladder, leaves the ladder exactly as it was', async () => {
    const { webhook, deliveryId } = await attemptedOnce('/ladder', 500)
    const state = async () => present((await stage.deliveriesOf(webhook))[0], 'recorded')
    for (const [i, delayMs] of limits.webhookRetryDelaysMs.entries()) {
      const before = await state()
      stage.clock.advance(Math.floor(delayMs / 2))
      done(await stage.retry(webhook, deliveryId))
      await stage.attempted(2 * i + 1, 1)
      expect(await state()).toEqual({ ...before, attempts: before.attempts + 1 })
      stage.clock.advance(present(before.next_at, 'pending').getTime() - stage.clock.now().getTime())
      await stage.attempted(2 * i + 2, 1)
    }
    expect(await state()).toMatchObject({ status: 'failed', attempt: 6, attempts: 11, next_at: null })
    const history = await stage.attemptsOf(webhook)
    expect(history.map((each) => each.n)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
    expect(history.map((each) => each.manual)).toEqual([false, true, false, true, false, true, false, true, false, true, false])
    const automatic = history.filter((each) => !each.manual).map((each) => each.started_at.getTime())
    for (const [i, delayMs] of limits.webhookRetryDelaysMs.entries()) {
      const spacingMs = (automatic[i + 1] ?? 0) - (automatic[i] ?? 0)
      expect(spacingMs).toBeGreaterThanOrEqual(delayMs)
      expect(spacingMs).toBeLessThanOrEqual(delayMs + Math.min(delayMs * 0.02, 30_000) + 3_000)
    }
  })

  test('that succeeds drops the rest of the ladder', async () => {
    const { webhook, deliveryId } = await attemptedOnce('/dropped', 500)
    stage.receiver.answer('/dropped', 200)
    done(await stage.retry(webhook, deliveryId))
    await stage.attempted(1)
    expect(await stage.deliveriesOf(webhook)).toMatchObject([{ status: 'succeeded', attempt: 1, attempts: 2, next_at: null }])
    // The lane has nothing left once the old moment has passed.
    stage.clock.advance(2 * minuteMs)
    await stage.until(
      async () =>
        (await stage.run(`select 1 from webhook_lane where webhook_id = $1 and earliest_due < 'infinity'`, [webhook.id])).length === 0,
    )
    expect(stage.receiver.of('/dropped')).toHaveLength(2)
  })

  test('begins nothing a second time that is under way at the same webhook', async () => {
    const { webhook, deliveryId } = await attemptedOnce('/beside', 200)
    const held = heldAnswers('/beside')
    await stage.record(account)
    await stage.until(() => held.length === 1)
    done(await stage.retry(webhook, deliveryId))
    await stage.until(() => held.length > 1)
    stage.receiver.answer('/beside', 200)
    for (const each of held) each.end()
    await stage.attempted(2)
    expect(stage.receiver.of('/beside')).toHaveLength(3)
  })

  test('of a delivery that is older than what claims look at is posted', async () => {
    const longAgo = new Date(stage.clock.now().getTime() - 10 * 86_400_000)
    const tables = ['event', 'delivery', 'delivery_attempt'].map((table) => ({ table, every: 'day' as const, keptDays: 30 }))
    await makePartitions(stage.database, tables, longAgo)
    const webhook = await stage.webhook(account, '/old')
    const event = { accountId: account, livemode: true, type: 'message.sent', data: '{}' as JsonText } as const
    await stage.database.transaction((tx) => recordEvents(tx, { clock: { ...stage.clock, now: () => longAgo } }, [event]))
    await stage.run(`update delivery set status = 'failed', next_at = null where webhook_id = $1`, [webhook.id])
    const [old] = await stage.deliveriesOf(webhook)
    expect(present(old, 'recorded').id < lowestUuidAt(new Date(longAgo.getTime() + 86_400_000))).toBe(true)
    done(await stage.retry(webhook, present(old, 'recorded').id))
    await stage.attempted(1)
    expect(await stage.deliveriesOf(webhook)).toMatchObject([{ status: 'succeeded', attempts: 1 }])
  })

  test('is refused while one of the same delivery waits or is under way, and allowed again afterwards', async () => {
    const { webhook, deliveryId } = await attemptedOnce('/twice', 500)
    const held = heldAnswers('/twice')
    const both = await Promise.all([stage.retry(webhook, deliveryId), stage.retry(webhook, deliveryId)])
    expect(both.map(codeOf).sort()).toEqual(['conflict', 'ok'])
    await stage.until(() => held.length === 1)
    expect(codeOf(await stage.retry(webhook, deliveryId))).toBe('conflict')
    held[0]?.writeHead(500).end()
    await stage.attempted(1)
    expect(codeOf(await stage.retry(webhook, deliveryId))).toBe('ok')
    await stage.until(() => held.length === 2)
    held[1]?.end()
    await stage.attempted(2)
    expect(await stage.attemptsOf(webhook)).toHaveLength(3)
  })

  test('is the sixty-first of a minute: refused with the seconds that are left, then allowed', async () => {
    const webhook = await stage.webhook(account, '/sixty')
    await stage.record(account, 62)
    await stage.attempted(62)
    const ids = (await stage.deliveriesOf(webhook)).map((each) => each.id)
    const results = []
    for (const id of ids.slice(0, 60)) results.push(codeOf(await stage.retry(webhook, id)))
    expect(new Set(results)).toEqual(new Set(['ok']))
    stage.clock.advance(20_000)
    const last = present(ids[60], '62 were recorded')
    const refused = await stage.retry(webhook, last)
    expect(refused).toMatchObject({ ok: false, refusal: { code: 'rate_limited', retryAfterSeconds: 40 } })
    // Another webhook has a minute of its own.
    const other = await attemptedOnce('/sixty-beside', 200)
    expect(codeOf(await stage.retry(other.webhook, other.deliveryId))).toBe('ok')
    await stage.until(async () => (await stage.retriesOf(webhook)) === 0)
    stage.clock.advance(minuteMs)
    expect(codeOf(await stage.retry(webhook, last))).toBe('ok')
  })

  test('is refused for a disabled webhook, for one that was tried a hundred times, and for what is not there', async () => {
    const { webhook, deliveryId } = await attemptedOnce('/refused', 500)
    const other = await stage.webhook(account, '/other')
    expect(codeOf(await stage.retry(other, deliveryId))).toBe('not_found')
    expect(codeOf(await stage.retry({ ...webhook, accountId: await stage.account() }, deliveryId))).toBe('not_found')
    expect(codeOf(await stage.retry(webhook, newUuid(stage.clock.now())))).toBe('not_found')
    await stage.run('update delivery set attempts = 100 where id = $1', [deliveryId])
    expect(codeOf(await stage.retry(webhook, deliveryId))).toBe('conflict')
    await stage.run('update delivery set attempts = 99 where id = $1', [deliveryId])
    await stage.run('update webhook set enabled = false where id = $1', [webhook.id])
    expect(codeOf(await stage.retry(webhook, deliveryId))).toBe('conflict')
    expect(await stage.retriesOf(webhook)).toBe(0)
  })
})

describe('a retry and an automatic attempt of the same delivery at the same moment', () => {
  const answers = { automatic: 0, retry: 1 } as const
  test.each<[first: 'automatic' | 'retry', automatic: number, retry: number, status: string]>([
    ['automatic', 200, 500, 'succeeded'],
    ['automatic', 500, 200, 'succeeded'],
    ['retry', 500, 200, 'succeeded'],
    ['retry', 200, 500, 'succeeded'],
    ['automatic', 500, 500, 'pending'],
    ['retry', 500, 500, 'pending'],
  ])(
    'when the %s one ends first, with %i and %i: both are in the history, and the delivery is right',
    async (first, automatic, retry, status) => {
      const path = `/both-${first}-${automatic}-${retry}`
      const held = heldAnswers(path)
      const webhook = await stage.webhook(account, path)
      await stage.record(account)
      await stage.until(() => held.length === 1)
      const [delivery] = await stage.deliveriesOf(webhook)
      done(await stage.retry(webhook, present(delivery, 'recorded').id))
      await stage.until(() => held.length === 2)
      const codes = { automatic, retry }
      const order = first === 'automatic' ? (['automatic', 'retry'] as const) : (['retry', 'automatic'] as const)
      for (const [i, which] of order.entries()) {
        held[answers[which]]?.writeHead(codes[which]).end()
        await stage.attempted(i + 1)
      }
      expect((await stage.attemptsOf(webhook)).map((each) => [each.n, each.manual, each.status_code])).toEqual(
        order.map((which, i) => [i + 1, which === 'retry', codes[which]]),
      )
      const [after] = await stage.deliveriesOf(webhook)
      expect(after).toMatchObject({ status, attempt: 1, attempts: 2 })
      expect(after?.next_at === null).toBe(status !== 'pending')
      expect(held).toHaveLength(2)
      expect(await stage.retriesOf(webhook)).toBe(0)
    },
  )

  test('that end together are recorded together, each under a number of its own', async () => {
    const held = heldAnswers('/together')
    const webhook = await stage.webhook(account, '/together')
    await stage.record(account)
    await stage.until(() => held.length === 1)
    done(await stage.retry(webhook, present((await stage.deliveriesOf(webhook))[0], 'recorded').id))
    await stage.until(() => held.length === 2)
    for (const response of held) response.end()
    await stage.attempted(2)
    expect((await stage.attemptsOf(webhook)).map((each) => each.n)).toEqual([1, 2])
    expect(held).toHaveLength(2)
    expect(await stage.deliveriesOf(webhook)).toMatchObject([{ status: 'succeeded', attempts: 2 }])
  })
})

test('retries in the middle of live traffic: every delivery and every retry is posted exactly once', async () => {
  const webhook = await stage.webhook(account, '/traffic')
  await stage.record(account, 20)
  await stage.attempted(20)
  const first = (await stage.deliveriesOf(webhook)).map((each) => each.id)
  const held = heldAnswers('/traffic')
  await stage.record(account, 4)
  await stage.until(() => held.length === 4)
  for (const id of first.slice(0, 3)) done(await stage.retry(webhook, id))
  await stage.until(() => held.length === 7)
  // Claims go on while the seven are under way.
  const untilMs = stage.clock.now().getTime() + 3_000
  await stage.until(() => stage.clock.now().getTime() >= untilMs)
  expect(held).toHaveLength(7)
  for (const response of held) response.end()
  stage.receiver.answer('/traffic', 200)
  await stage.attempted(27)
  expect(stage.receiver.of('/traffic')).toHaveLength(27)
  expect(await stage.attemptsOf(webhook)).toHaveLength(27)
})

describe('faults of our own', () => {
  // rule: delivery 13
  test('a retry that waits while no process is alive is made by the next one, without a hint', async () => {
    const { webhook, deliveryId } = await attemptedOnce('/waits', 500)
    await stage.stop()
    done(await stage.retry(webhook, deliveryId))
    stage.receiver.answer('/waits', 200)
    await stage.restart()
    await stage.attempted(1)
    expect(await stage.attemptsOf(webhook)).toMatchObject([{ n: 1 }, { n: 2, manual: true, status_code: 200 }])
    expect(await stage.retriesOf(webhook)).toBe(0)
  })

  test('a retry whose hint is lost, in a lane that is at work, is found with what the lane claims', async () => {
    const { webhook, deliveryId } = await attemptedOnce('/busy', 200)
    await stage.stop()
    done(await stage.retry(webhook, deliveryId))
    await stage.run('update webhook_lane set earliest_due = $2 where webhook_id = $1', [
      webhook.id,
      new Date(stage.clock.now().getTime() + 60 * minuteMs),
    ])
    await stage.restart()
    await stage.record(account, 5)
    await stage.attempted(6)
    expect((await stage.attemptsOf(webhook)).filter((each) => each.manual)).toHaveLength(1)
  })

  test('a retry that was posted and could not be recorded is posted again, and the history has it once', async () => {
    const { webhook, deliveryId } = await attemptedOnce('/lost', 500)
    const held = heldAnswers('/lost')
    let away = false
    const failing = {
      ...stage.database,
      repeatable: (work: never) => (away ? Promise.reject(new Error('away')) : stage.database.repeatable(work)),
    }
    await stage.restart(failing as typeof stage.database)
    done(await stage.retry(webhook, deliveryId))
    await stage.until(() => held.length === 1)
    away = true
    held[0]?.end()
    await stage.until(() => stage.observed.some((each) => each.kind === 'webhook.result_waits'))
    let stopped = false
    void stage.restart().then(() => {
      stopped = true
    })
    await stage.until(() => stopped, 50)
    await stage.until(() => held.length === 2)
    held[1]?.end()
    await stage.until(async () => (await stage.retriesOf(webhook)) === 0)
    expect(await stage.attemptsOf(webhook)).toMatchObject([
      { n: 1, manual: false },
      { n: 2, manual: true, status_code: 200 },
    ])
    expect(await stage.deliveriesOf(webhook)).toMatchObject([{ status: 'succeeded', attempts: 2 }])
  })

  test('a result that comes twice, or of a retry that another owner recorded, changes nothing: not even the next retry', async () => {
    const { webhook, deliveryId } = await attemptedOnce('/stale', 500)
    await stage.stop()
    done(await stage.retry(webhook, deliveryId))
    const [row] = await stage.run<{ id: Uuid }>('select id from delivery_retry where delivery_id = $1', [deliveryId])
    const result = {
      ...{ accountId: account, deliveryId, webhookId: webhook.id, retryId: present(row, 'queued').id, received: false },
      ...{ startedAt: stage.clock.now(), durationMs: 5, statusCode: 503, error: null, responseHead: '' },
    }
    await stage.database.transaction((tx) => recordRetries(tx, [result]))
    done(await stage.retry(webhook, deliveryId))
    await stage.database.transaction((tx) => recordRetries(tx, [{ ...result, received: true }]))
    expect(await stage.retriesOf(webhook)).toBe(1)
    expect(await stage.attemptsOf(webhook)).toMatchObject([{ n: 1 }, { n: 2, status_code: 503 }])
    expect(await stage.deliveriesOf(webhook)).toMatchObject([{ status: 'pending', attempts: 2 }])
    await stage.restart()
    await stage.attempted(1)
  })

  test('a retry under way when its webhook is removed is still in the history, and those that wait go', async () => {
    const { webhook, deliveryId } = await attemptedOnce('/removed', 200)
    const held = heldAnswers('/removed')
    done(await stage.retry(webhook, deliveryId))
    await stage.until(() => held.length === 1)
    await removeWebhook({ database: stage.database, clock: stage.clock, wakeDeliveries: stage.lanes.wake }, webhook)
    // Long enough for a lane that is settled too early.
    const untilMs = stage.clock.now().getTime() + 5_000
    await stage.until(() => stage.clock.now().getTime() >= untilMs)
    expect(await stage.retriesOf(webhook)).toBe(1)
    held[0]?.end()
    await stage.attempted(1)
    expect(await stage.attemptsOf(webhook)).toMatchObject([
      { n: 1, manual: false },
      { n: 2, manual: true, status_code: 200 },
    ])
    await stage.until(async () => (await stage.run('select 1 from webhook_lane where webhook_id = $1', [webhook.id])).length === 0)
  })

  test('a retry whose event is no longer kept leaves the queue, and the lane comes to rest', async () => {
    const { webhook, deliveryId } = await attemptedOnce('/gone', 200)
    await stage.stop()
    done(await stage.retry(webhook, deliveryId))
    await stage.run('delete from event where account_id = $1', [account])
    await stage.restart()
    await stage.until(async () => (await stage.retriesOf(webhook)) === 0)
    await stage.until(
      async () =>
        (await stage.run(`select 1 from webhook_lane where webhook_id = $1 and earliest_due < 'infinity'`, [webhook.id])).length === 0,
    )
    expect(stage.receiver.of('/gone')).toHaveLength(1)
  })

  // rule: delivery 13
  test('a retry in a lane that was settled while it waited is made after a crash, and so is what waits in other lanes', async () => {
    const { webhook, deliveryId } = await attemptedOnce('/settled-early', 200)
    await stage.webhook(account, '/beside-it')
    await stage.stop()
    done(await stage.retry(webhook, deliveryId))
    await stage.database.transaction(async (tx) => {
      await lockLanes(tx, [{ accountId: account, webhookId: webhook.id }])
      await raiseLanes(tx, [{ accountId: account, webhookId: webhook.id }])
    })
    await stage.record(account, 1)
    await stage.run(`update webhook_lane set earliest_due = '-infinity' where webhook_id = $1`, [webhook.id])
    await stage.restart()
    await stage.until(() => stage.receiver.of('/settled-early').length === 3 && stage.receiver.of('/beside-it').length === 1)
    await stage.until(async () => (await stage.retriesOf(webhook)) === 0)
  })
})
