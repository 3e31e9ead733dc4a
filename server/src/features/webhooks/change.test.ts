import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type DeliveryStage, done, openDeliveryStage } from '../../../test/support/delivery-stage.ts'
import { present } from '../../base/assert.ts'
import { newUuid, type Uuid } from '../../base/id.ts'
import { limits } from '../../limits.ts'
import { partitionedTables } from '../../partitioned-tables.ts'
import { makePartitions } from '../../platform/database/partitions.ts'
import { changeWebhook } from './change.ts'
import { sendSample } from './send-sample.ts'
import type { WebhookChange } from './store.ts'
import type { DeliveryHint, Webhook } from './webhook.ts'

let stage: DeliveryStage
let account: Uuid
beforeAll(async () => {
  stage = await openDeliveryStage()
})
afterAll(() => stage.close())
beforeEach(async () => {
  // Each test lets days pass.
  await makePartitions(stage.database, partitionedTables, stage.clock.now())
  account = await stage.account()
})
afterEach(() => stage.reset())

const hourMs = 3_600_000
const policy = { allowPrivate: true, allowCidrs: [], certificateAuthorities: null, ownEndpoints: [] }
const wake = (hints: readonly DeliveryHint[]) => stage.lanes.wake(hints)
const change = ({ accountId, id }: Webhook, asked: WebhookChange, wakeDeliveries: (hints: readonly DeliveryHint[]) => void = wake) =>
  changeWebhook({ database: stage.database, clock: stage.clock, policy, wakeDeliveries }, { accountId, id, change: asked })
const statusesOf = async (webhook: Webhook) => (await stage.deliveriesOf(webhook)).map((each) => each.status)
const postsTo = (path: string) => stage.receiver.of(path).length

/** A webhook one event of which has failed once, and is pending. */
async function failedOnce(path: string): Promise<Webhook> {
  stage.receiver.answer(path, 500)
  const webhook = await stage.webhook(account, path)
  await stage.record(account)
  await stage.until(async () => (await stage.attemptsOf(webhook)).length === 1)
  return webhook
}

// rule: delivery 14
describe('a webhook that is disabled and enabled again', () => {
  test('is not told what happened meanwhile; what was pending waits, and goes on at once', async () => {
    const webhook = await failedOnce('/paused')
    const witness = await stage.webhook(account, '/witness')
    done(await change(webhook, { enabled: false }))
    stage.receiver.answer('/witness', 500)
    await stage.record(account, 2)
    // The witness is tried again after a minute, five and 25: the time in which the other would have been due, many times over.
    await stage.until(async () => (await stage.attemptsOf(witness)).length >= 8, 5_000)
    expect(postsTo('/paused')).toBe(1)
    expect(await statusesOf(webhook)).toEqual(['pending'])

    stage.receiver.answer('/paused', 200)
    const enabledAt = stage.clock.now()
    done(await change(webhook, { enabled: true }))
    await stage.until(async () => (await stage.attemptsOf(webhook)).length === 2)
    const [, second] = await stage.attemptsOf(webhook)
    expect(present(second, 'it was awaited').started_at.getTime() - enabledAt.getTime()).toBeLessThan(60_000)
    expect(await statusesOf(webhook)).toEqual(['succeeded'])
    await stage.record(account)
    await stage.until(async () => (await statusesOf(webhook)).length === 2)
    expect(postsTo('/paused')).toBeGreaterThanOrEqual(2)
  })

  test('goes on although the hint about it was lost', async () => {
    const webhook = await failedOnce('/unheard')
    done(await change(webhook, { enabled: false }))
    stage.clock.advance(10 * hourMs)
    // Its owner puts the lane off, and forgets it.
    await stage.until(async () => {
      const [lane] = await stage.run<{ earliest_due: Date }>('select earliest_due from webhook_lane where webhook_id = $1', [webhook.id])
      return present(lane, 'it has a delivery').earliest_due > stage.clock.now()
    })
    stage.receiver.answer('/unheard', 200)
    done(await change(webhook, { enabled: true }, () => {}))
    await stage.until(async () => (await statusesOf(webhook))[0] === 'succeeded')
  })

  test('goes on with the ladder where it was', async () => {
    const webhook = await failedOnce('/ladder')
    const [before] = await stage.deliveriesOf(webhook)
    done(await change(webhook, { enabled: false }))
    done(await change(webhook, { enabled: true }))
    expect(await stage.deliveriesOf(webhook)).toEqual([before])
    await stage.until(async () => (await stage.attemptsOf(webhook)).length === 2, 100)
    const [first, second] = await stage.attemptsOf(webhook)
    const betweenMs = present(second, 'two').started_at.getTime() - present(first, 'two').started_at.getTime()
    expect(betweenMs).toBeGreaterThanOrEqual(present(limits.webhookRetryDelaysMs[0], 'the first delay'))
  })

  test.each([
    ['exactly 72 hours old is posted', 0, 'succeeded'],
    ['a millisecond older is canceled', 1, 'canceled'],
  ])('what is %s', async (_what, moreMs, status) => {
    const path = `/old-${moreMs}`
    const webhook = await failedOnce(path)
    done(await change(webhook, { enabled: false }))
    // Nobody looks at the lane meanwhile, so that only the change can cancel.
    await stage.stop()
    const [delivery] = await stage.run<{ created_at: Date }>('select created_at from delivery where webhook_id = $1', [webhook.id])
    const { created_at: createdAt } = present(delivery, 'recorded')
    stage.clock.advance(createdAt.getTime() + 72 * hourMs + moreMs - stage.clock.now().getTime())
    stage.receiver.answer(path, 200)
    done(await change(webhook, { enabled: true }, () => {}))
    await stage.restart()
    await stage.until(async () => (await statusesOf(webhook))[0] === status)
    expect(postsTo(path)).toBe(status === 'canceled' ? 1 : 2)
  })

  test('has all that waited too long canceled, also more than one transaction takes', async () => {
    stage.receiver.answer('/many', 500)
    const webhook = await stage.webhook(account, '/many')
    await stage.stop()
    for (let i = 0; i < 3; i += 1) await stage.record(account, 400)
    done(await change(webhook, { enabled: false }))
    stage.clock.advance(72 * hourMs + 1_000)
    expect(await change(webhook, { enabled: true }, () => {})).toMatchObject({ ok: true, value: { enabled: true } })
    expect(new Set(await statusesOf(webhook))).toEqual(new Set(['canceled']))
  })

  test('that was enabled all the time loses nothing, however old: its owner was away', async () => {
    stage.receiver.answer('/away', 200)
    const webhook = await stage.webhook(account, '/away')
    await stage.stop()
    await stage.record(account)
    stage.clock.advance(73 * hourMs)
    done(await change(webhook, { enabled: true }, () => {}))
    expect(await statusesOf(webhook)).toEqual(['pending'])
    await stage.restart()
    await stage.until(async () => (await statusesOf(webhook))[0] === 'succeeded')
  })

  test('by many at once, beside events and attempts, is left in one of the two states and can be told again', async () => {
    stage.receiver.answer('/often', 200)
    const webhook = await stage.webhook(account, '/often')
    for (let round = 0; round < 5; round += 1) {
      const changes = Array.from({ length: 6 }, (_, i) => change(webhook, { enabled: i % 2 === 0 }))
      const [changed] = await Promise.all([Promise.all(changes), stage.record(account, 5)])
      expect(changed.every((each) => each.ok)).toBe(true)
    }
    done(await change(webhook, { enabled: true }))
    await stage.record(account)
    await stage.until(async () => (await statusesOf(webhook)).every((status) => status === 'succeeded'))
  })
})

describe('a change', () => {
  test('of the address counts for what is pending', async () => {
    const webhook = await failedOnce('/before')
    stage.receiver.answer('/after', 200)
    done(await change(webhook, { url: stage.receiver.urlOf('/after') }))
    await stage.until(async () => (await statusesOf(webhook))[0] === 'succeeded', 100)
    expect([postsTo('/before'), postsTo('/after')]).toEqual([1, 1])
  })

  test('of nothing changes nothing', async () => {
    const webhook = await stage.webhook(account, '/same')
    const { secret: _secret, ...same } = webhook as Webhook & { secret: string }
    expect(done(await change(webhook, {}))).toEqual(same)
  })

  test.each<[what: string, asked: WebhookChange]>([
    ['nothing', {}],
    ['its state', { enabled: true }],
    ['its words', { description: 'x' }],
  ])('of %s is refused for what is not there, and for a webhook of another account', async (_what, asked) => {
    const theirs = await stage.webhook(await stage.account(), '/theirs')
    for (const id of [newUuid(stage.clock.now()), theirs.id])
      expect(await change({ ...theirs, accountId: account, id }, asked)).toMatchObject({ ok: false, refusal: { code: 'not_found' } })
  })

  test('to an address that may not be called is refused on url, and nothing else is changed with it', async () => {
    const webhook = await stage.webhook(account, '/same')
    expect(await change(webhook, { url: 'ftp://example.com/', enabled: false })).toMatchObject({
      ok: false,
      refusal: { code: 'invalid_request', details: [{ field: 'url' }] },
    })
    expect(done(await change(webhook, {})).enabled).toBe(true)
  })
})

// rule: delivery 15
test('a sample is found and posted although the hint about it was lost', async () => {
  const webhook = await stage.webhook(account, '/sample')
  const deps = { database: stage.database, clock: stage.clock, wakeDeliveries: () => {} }
  done(await sendSample(deps, { accountId: webhook.accountId, id: webhook.id }))
  await stage.until(async () => (await statusesOf(webhook))[0] === 'succeeded')
  expect(postsTo('/sample')).toBe(1)
})
