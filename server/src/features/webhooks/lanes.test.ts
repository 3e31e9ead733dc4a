import Stripe from 'stripe'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts'
import { whileTimePasses } from '../../../test/support/delivery-stage.ts'
import { present } from '../../base/assert.ts'
import { type ManualClock, manualClock, systemClock } from '../../base/clock.ts'
import { formatId, lowestUuidAt, newUuid, type Uuid } from '../../base/id.ts'
import type { JsonText } from '../../base/json.ts'
import { parseSecretKey, seal } from '../../base/seal.ts'
import { limits } from '../../limits.ts'
import { openDatabase } from '../../platform/database/database.ts'
import { makePartitions } from '../../platform/database/partitions.ts'
import { statement } from '../../platform/database/statement.ts'
import { createStrangerClient, type StrangerClient } from '../../platform/fetch/post-to-stranger.ts'
import { createOwnership, type Ownership } from '../../platform/lanes/ownership.ts'
import { shardOf } from '../../platform/lanes/shard.ts'
import { createAccount } from '../accounts/public.ts'
import { recordAttempts } from './delivery-store.ts'
import type { EventKind } from './event.ts'
import { type Deliveries, type DeliveriesDeps, startDeliveries } from './lanes.ts'
import { type LocalReceiver, localReceiver } from './local-receiver.ts'
import type { WebhookObservation } from './observation.ts'
import { recordEvents } from './record-event.ts'
import { registerWebhook } from './register.ts'
import { removeWebhook } from './remove.ts'
import { chanceOf } from './rules.ts'
import { newSigningSecret } from './sign.ts'
import type { DeliveryHint, DeliveryMove, Webhook } from './webhook.ts'

const secretKey = present(parseSecretKey(Buffer.alloc(32, 7).toString('base64')), '32 bytes')
const policy = { allowPrivate: true, allowCidrs: [], certificateAuthorities: null, ownEndpoints: [] }
const { webhooks: verifier } = new Stripe('sk_test_unused')
const minuteMs = 60_000

let own: TestDatabase
let ownership: Ownership
let receiver: LocalReceiver
let strangers: StrangerClient
let clock: ManualClock
let accountId: Uuid
let observed: WebhookObservation[]
let deliveries: Deliveries

beforeAll(async () => {
  own = await testDatabase()
  // The lease runs by the real clock; everything about deliveries by the one that the tests move.
  ownership = createOwnership({ database: own.database, clock: systemClock(), observe: () => {} }, { alone: true })
  await ownership.start()
  receiver = await localReceiver()
})
afterAll(async () => {
  await ownership.stop()
  await receiver.close()
  await own.close()
})
beforeEach(async () => {
  // Today, because the test database has today's partitions.
  clock = manualClock(new Date().toISOString())
  observed = []
  strangers = createStrangerClient({ clock: systemClock(), policy })
  accountId = await newAccount()
  deliveries = start()
})
afterEach(async () => {
  await endDeliveries()
  await strangers.close()
  expect(observed.filter((each) => each.kind === 'lane.tick_failed')).toEqual([])
  // What a test leaves pending would be the next one's too.
  await run(`update delivery set status = 'canceled', next_at = null where status = 'pending'`)
  await run('delete from webhook_lane')
})

type Started = Partial<Pick<DeliveriesDeps, 'database' | 'strangers' | 'ownership'>>
const start = (change: Started = {}) =>
  startDeliveries({
    database: own.database,
    clock,
    observe: (each) => observed.push(each),
    ownership,
    strangers,
    secretKey,
    ...change,
  })

async function newAccount(): Promise<Uuid> {
  const made = await createAccount({ database: own.database, clock }, { name: 'Padaria', plan: null })
  if (!made.ok) throw new Error(made.refusal.message)
  return made.value.id
}

async function newWebhook(path: string, account = accountId): Promise<Webhook & { secret: string }> {
  const deps = { database: own.database, clock, policy, secretKey }
  const made = await registerWebhook(deps, { accountId: account, url: receiver.urlOf(path), events: ['*'], description: null })
  if (!made.ok) throw new Error(made.refusal.message)
  return { ...made.value.webhook, secret: made.value.secret }
}

type Given = { account?: Uuid; type?: EventKind; data?: string }
const record = ({ account = accountId, type = 'message.sent', data = '{}' }: Given = {}, count = 1): Promise<readonly DeliveryHint[]> =>
  own.database.transaction((tx) =>
    recordEvents(
      tx,
      { clock },
      Array.from({ length: count }, () => ({ accountId: account, livemode: true, type, data: data as JsonText })),
    ),
  )

let statements = 0
function run<Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
  statements += 1
  return own.database.run<Row>(statement(`test_lanes_${statements}`, text), values)
}

type DeliveryState = { id: Uuid; status: string; attempt: number; attempts: number; next_at: Date | null }
const deliveriesOf = (webhook: Webhook) =>
  run<DeliveryState>('select id, status, attempt, attempts, next_at from delivery where account_id = $1 and webhook_id = $2 order by id', [
    webhook.accountId,
    webhook.id,
  ])

type HistoryRow = { n: number; started_at: Date; ms: number; status_code: number | null; error: string | null; response_head: string }
const historyOf = (webhook: Webhook) =>
  run<HistoryRow>(
    `select n, started_at, ms, status_code, error, response_head
    from delivery_attempt join delivery on delivery.account_id = delivery_attempt.account_id and delivery.id = delivery_id
    where delivery.account_id = $1 and webhook_id = $2 order by delivery_id, n`,
    [webhook.accountId, webhook.id],
  )

const attempts = () => observed.filter((each) => each.kind === 'webhook.attempt')

/** Moves time along, `speed` times as fast as it passes, and lets what falls due run, until the condition holds. */
async function until(holds: () => boolean | Promise<boolean>, speed = 5): Promise<void> {
  const startMs = performance.now()
  let movedMs = 0
  while (!(await holds())) {
    const passedMs = performance.now() - startMs
    if (passedMs > 20_000) throw new Error(`waited in vain; last observed: ${JSON.stringify(observed.at(-1))}`)
    const stepMs = Math.floor(passedMs * speed) - movedMs
    clock.advance(stepMs)
    movedMs += stepMs
    await new Promise<void>((resolve) => setImmediate(resolve))
  }
}

/** Stops the lanes while time goes on: what is under way is recorded at its moment. */
const endDeliveries = () => whileTimePasses(until, deliveries.stop())

const attempted = (count: number, speed?: number) => until(() => attempts().length >= count, speed)

/** Until the database says that the webhook has nothing due: what is found later is found by its own moment, not by luck. */
const settled = ({ accountId, id }: Webhook) =>
  until(async () => {
    const [lane] = await run<{ due: boolean }>(
      'select earliest_due <= $3 as due from webhook_lane where account_id = $1 and webhook_id = $2',
      [accountId, id, clock.now()],
    )
    return lane?.due === false
  })

describe('an event that is received', () => {
  // rule: delivery 1
  // rule: delivery 4
  test('is posted with its exact bytes, its headers and a signature that an independent verifier accepts', async () => {
    const webhook = await newWebhook('/ok')
    deliveries.wake(await record({ data: '{"z":1,"a":12345678901234567890}' }))
    await attempted(1)

    const receipt = present(receiver.of('/ok')[0], 'posted')
    const [event] = await run<{ id: Uuid; body: Buffer }>('select id, body from event where account_id = $1', [accountId])
    expect(receipt.body).toEqual(event?.body)
    expect(receipt.body.toString()).toContain('"data":{"z":1,"a":12345678901234567890}}')
    expect(receipt.headers).toMatchObject({
      'content-type': 'application/json',
      'service-event-id': formatId('evt', present(event, 'recorded').id),
      'service-event-type': 'message.sent',
      'user-agent': 'Pombo/1 (webhooks)',
    })
    const header = present(receipt.headers['service-signature'], 'signed')
    verifier.constructEvent(receipt.body, String(header), webhook.secret, 300, undefined, clock.now().getTime())

    expect(await deliveriesOf(webhook)).toMatchObject([{ status: 'succeeded', attempt: 1, attempts: 1, next_at: null }])
    expect(await historyOf(webhook)).toMatchObject([{ n: 1, status_code: 200, error: null, response_head: 'answered 200' }])
    expect(attempts()).toMatchObject([
      { webhookId: webhook.id, eventType: 'message.sent', attempt: 1, statusCode: 200, outcome: 'succeeded' },
    ])
  })

  test('is found and posted without any hint', async () => {
    const webhook = await newWebhook('/no-hint')
    await record()
    await attempted(1)
    expect(await deliveriesOf(webhook)).toMatchObject([{ status: 'succeeded' }])
  })

  test('is posted once: many at a time leave no repeat and no gap', async () => {
    const webhook = await newWebhook('/many')
    for (let i = 0; i < 5; i += 1) deliveries.wake(await record({}, 40))
    await attempted(200)
    await settled(webhook)
    const ids = receiver.of('/many').map((each) => each.headers['service-event-id'])
    expect(ids).toHaveLength(200)
    expect(new Set(ids).size).toBe(200)
    expect((await deliveriesOf(webhook)).every((each) => each.status === 'succeeded' && each.attempts === 1)).toBe(true)
  })

  test('carries two signatures while a previous secret still counts, and one afterwards', async () => {
    const webhook = await newWebhook('/rotated')
    const fresh = newSigningSecret()
    await run('update webhook set previous_secret = secret, secret = $3, previous_secret_until = $4 where account_id = $1 and id = $2', [
      accountId,
      webhook.id,
      seal(secretKey, fresh),
      new Date(clock.now().getTime() + minuteMs),
    ])
    deliveries.wake(await record())
    await attempted(1)
    clock.advance(minuteMs)
    deliveries.wake(await record())
    await attempted(2)

    const [during, after] = receiver.of('/rotated').map((each) => String(each.headers['service-signature']))
    expect(during).toMatch(/^t=[0-9]+,v1=[0-9a-f]{64},v1=[0-9a-f]{64}$/)
    expect(after?.split(',')).toHaveLength(2)
    const [receipt, later] = receiver.of('/rotated')
    const verify = (given: typeof receipt, secret: string) => () =>
      verifier.constructEvent(
        present(given, 'posted').body,
        String(given?.headers['service-signature']),
        secret,
        86_400,
        undefined,
        clock.now().getTime(),
      )
    expect(verify(receipt, fresh)).not.toThrow()
    expect(verify(receipt, webhook.secret)).not.toThrow()
    expect(verify(later, fresh)).not.toThrow()
    expect(verify(later, webhook.secret)).toThrow()
  })
})

describe('an event that is not received', () => {
  // rule: delivery 2
  // rule: signature 3
  test('is posted six times on the ladder, each time the same bytes with a new signature, and then failed', async () => {
    receiver.answer('/dead', 500)
    const webhook = await newWebhook('/dead')
    deliveries.wake(await record())
    for (const [i, delayMs] of limits.webhookRetryDelaysMs.entries()) {
      const attempt = i + 1
      await attempted(attempt, 1)
      const seenMs = clock.now().getTime()
      await settled(webhook)
      const delivery = present((await deliveriesOf(webhook))[0], 'recorded')
      expect(delivery).toMatchObject({ status: 'pending', attempt })
      const dueMs = present(delivery.next_at, 'pending').getTime()
      const jitterMs = Math.floor(Math.min(delayMs * 0.02, 30_000) * chanceOf(delivery.id, attempt))
      const endedMs = dueMs - delayMs - jitterMs
      const startedMs = present((await historyOf(webhook))[i], 'recorded').started_at.getTime()
      expect(endedMs).toBeGreaterThanOrEqual(startedMs)
      expect(endedMs).toBeLessThanOrEqual(seenMs)

      // Up to the moment itself nothing happens, however much time passes.
      clock.advance(dueMs - 2_000 - clock.now().getTime())
      await until(() => clock.now().getTime() >= dueMs - 300)
      if (clock.now().getTime() < dueMs) expect(receiver.of('/dead')).toHaveLength(attempt)
    }
    await attempted(6, 1)
    expect(await deliveriesOf(webhook)).toMatchObject([{ status: 'failed', attempt: 6, attempts: 6, next_at: null }])

    const history = await historyOf(webhook)
    expect(history.map((each) => [each.n, each.status_code])).toEqual([1, 2, 3, 4, 5, 6].map((n) => [n, 500]))
    history.slice(1).forEach((each, i) => {
      const delayMs = present(limits.webhookRetryDelaysMs[i], 'a delay')
      const spacingMs = each.started_at.getTime() - present(history[i], 'before').started_at.getTime()
      expect(spacingMs).toBeGreaterThanOrEqual(delayMs)
      // The last two seconds are those of this machine, which does other work too.
      expect(spacingMs).toBeLessThanOrEqual(delayMs + Math.min(delayMs * 0.02, 30_000) + 2_000)
    })
    const receipts = receiver.of('/dead')
    expect(receipts).toHaveLength(6)
    expect(new Set(receipts.map((each) => each.body.toString('hex'))).size).toBe(1)
    expect(new Set(receipts.map((each) => each.headers['service-signature'])).size).toBe(6)
    expect(attempts().at(-1)).toMatchObject({ attempt: 6, outcome: 'failed' })
  })

  // rule: delivery 5
  test('comes again and succeeds, and the webhook counts as failing only in between', async () => {
    receiver.answer('/flapping', 503)
    const webhook = await newWebhook('/flapping')
    const failing = async () =>
      (await run<{ since: Date | null }>('select failing_since as since from webhook_lane where webhook_id = $1', [webhook.id]))[0]?.since
    deliveries.wake(await record())
    await attempted(1)
    expect(await failing()).toBeInstanceOf(Date)
    receiver.answer('/flapping', 204)
    clock.advance(minuteMs)
    await attempted(2)
    expect(await failing()).toBeNull()
    expect(await deliveriesOf(webhook)).toMatchObject([{ status: 'succeeded', attempt: 2 }])
  })

  test('a redirect is a failure and is not followed', async () => {
    receiver.answer('/moved', 302)
    const webhook = await newWebhook('/moved')
    deliveries.wake(await record())
    await attempted(1)
    expect(await deliveriesOf(webhook)).toMatchObject([{ status: 'pending', attempt: 1 }])
    expect(await historyOf(webhook)).toMatchObject([{ status_code: 302 }])
    expect(receiver.of('/elsewhere')).toEqual([])
  })

  test('a receiver that never answers is given up at the deadline, and comes again', async () => {
    await endDeliveries()
    const impatient = createStrangerClient({ clock: systemClock(), policy, deadlineMs: 200 })
    deliveries = start({ strangers: impatient })
    receiver.answer('/hangs', () => {})
    const webhook = await newWebhook('/hangs')
    deliveries.wake(await record())
    await attempted(1)
    expect(await deliveriesOf(webhook)).toMatchObject([{ status: 'pending', attempt: 1 }])
    expect(await historyOf(webhook)).toMatchObject([{ status_code: null, error: 'timeout' }])
    await impatient.close()
  })

  test('an answer with a NUL is kept without it, and does not hold up the results of others', async () => {
    receiver.answer('/nul', (response) => response.writeHead(500).end('a\0b'))
    const [webhook, other] = [await newWebhook('/nul'), await newWebhook('/beside-nul')]
    deliveries.wake(await record())
    await attempted(2)
    expect(await historyOf(webhook)).toMatchObject([{ response_head: 'a\uFFFDb' }])
    expect(await deliveriesOf(other)).toMatchObject([{ status: 'succeeded' }])
  })

  test('a delivery that is older than what is usually looked at is still posted', async () => {
    const longAgo = new Date(clock.now().getTime() - 10 * 86_400_000)
    const tables = ['event', 'delivery', 'delivery_attempt'].map((table) => ({ table, every: 'day' as const, keptDays: 30 }))
    await makePartitions(own.database, tables, longAgo)
    const webhook = await newWebhook('/old')
    await own.database.transaction((tx) =>
      recordEvents(tx, { clock: manualClock(longAgo.toISOString()) }, [
        { accountId, livemode: true, type: 'message.sent', data: '{}' as JsonText },
      ]),
    )
    await attempted(1)
    const [delivery] = await deliveriesOf(webhook)
    expect(delivery?.status).toBe('succeeded')
    expect(present(delivery, 'old').id < lowestUuidAt(new Date(clock.now().getTime() - 9 * 86_400_000))).toBe(true)
  })
})

describe('a webhook that is closed', () => {
  test('once removed, what is pending is canceled, nothing is posted, and an attempt under way is still in the history', async () => {
    const answers: (() => void)[] = []
    receiver.answer('/removed', (response) => answers.push(() => response.end()))
    const webhook = await newWebhook('/removed')
    deliveries.wake(await record({}, 20))
    await until(() => answers.length === 8)
    await removeWebhook({ database: own.database, clock, wakeDeliveries: deliveries.wake }, { accountId, id: webhook.id })
    expect((await deliveriesOf(webhook)).every((each) => each.status === 'canceled')).toBe(true)
    for (const answer of answers) answer()
    await attempted(8)
    await until(async () => (await run('select 1 from webhook_lane where webhook_id = $1', [webhook.id])).length === 0)
    expect(receiver.of('/removed')).toHaveLength(8)
    expect(await historyOf(webhook)).toHaveLength(8)
    expect((await deliveriesOf(webhook)).every((each) => each.status === 'canceled')).toBe(true)
  })

  test('while disabled what is pending waits; enabled within 72 hours it is posted', async () => {
    receiver.answer('/paused', 500)
    const webhook = await newWebhook('/paused')
    deliveries.wake(await record())
    await attempted(1)
    await run('update webhook set enabled = false where id = $1', [webhook.id])
    clock.advance(71 * 60 * minuteMs)
    await settled(webhook)
    expect(receiver.of('/paused')).toHaveLength(1)
    expect(await deliveriesOf(webhook)).toMatchObject([{ status: 'pending' }])

    receiver.answer('/paused', 200)
    await run('update webhook set enabled = true where id = $1', [webhook.id])
    await run('update webhook_lane set earliest_due = $2 where webhook_id = $1', [webhook.id, clock.now()])
    await attempted(2)
    expect(await deliveriesOf(webhook)).toMatchObject([{ status: 'succeeded' }])
  })

  test('while disabled what is pending is canceled once it is older than 72 hours', async () => {
    receiver.answer('/forgotten', 500)
    const webhook = await newWebhook('/forgotten')
    deliveries.wake(await record())
    await attempted(1)
    await run('update webhook set enabled = false where id = $1', [webhook.id])
    clock.advance(72 * 60 * minuteMs)
    await until(async () => {
      clock.advance(10 * minuteMs)
      return (await deliveriesOf(webhook))[0]?.status === 'canceled'
    })
    expect(observed).toContainEqual({ kind: 'webhook.deliveries_canceled', webhookId: webhook.id, deliveries: 1 })
    expect(receiver.of('/forgotten')).toHaveLength(1)
  })
})

describe('faults of our own', () => {
  // rule: delivery 3
  test('a crash between the answer and its record posts the same bytes again, and the history has the second', async () => {
    await endDeliveries()
    // Of its own at each try.
    const path = `/crash-${newUuid(clock.now())}`
    const answers: (() => void)[] = []
    receiver.answer(path, (response) => answers.push(() => response.end()))
    const webhook = await newWebhook(path)
    const dying = openDatabase({ connection: own.connection, clock: systemClock(), observe: () => {} })
    const before = start({ database: dying })
    before.wake(await record())
    await until(() => answers.length === 1)
    await dying.close()
    answers[0]?.()
    await until(() => observed.some((each) => each.kind === 'webhook.result_waits'))
    let stopped = false
    void before.stop().then(() => {
      stopped = true
    })
    await until(() => stopped, 50)
    // Where the clock runs ahead of a busy process, the stop may be over before its last word.
    await until(() => observed.some((each) => each.kind === 'webhook.result_lost' && each.webhookId === webhook.id), 50)
    observed = []

    receiver.answer(path, 200)
    deliveries = start()
    await attempted(1)
    const [first, second] = receiver.of(path)
    expect(second?.body).toEqual(first?.body)
    expect(await deliveriesOf(webhook)).toMatchObject([{ status: 'succeeded', attempt: 1, attempts: 1 }])
    expect(await historyOf(webhook)).toMatchObject([{ n: 1, status_code: 200 }])
  })

  test('stopping waits for what is under way and records it, and starts nothing more', async () => {
    const answers: (() => void)[] = []
    receiver.answer('/stopping', (response) => answers.push(() => response.end()))
    const webhook = await newWebhook('/stopping')
    deliveries.wake(await record({}, 20))
    await until(() => answers.length === 8)
    const ended = endDeliveries()
    for (const answer of answers) answer()
    await ended
    const states = await deliveriesOf(webhook)
    expect(states.filter((each) => each.status === 'succeeded')).toHaveLength(8)
    expect(states.filter((each) => each.status === 'pending')).toHaveLength(12)
    expect(receiver.of('/stopping')).toHaveLength(8)
  })

  test('a secret that this process cannot unseal posts nothing and loses nothing', async () => {
    const webhook = await newWebhook('/sealed')
    await run('update webhook set secret = $2 where id = $1', [webhook.id, Buffer.alloc(60, 1)])
    deliveries.wake(await record())
    await until(() => observed.some((each) => each.kind === 'webhook.attempt_not_made'))
    expect(receiver.of('/sealed')).toEqual([])
    expect(await deliveriesOf(webhook)).toMatchObject([{ status: 'pending', attempt: 0 }])
  })
})

describe('recording what two owners did at once, or one did twice', () => {
  test('counts and writes the first, and leaves the second without effect', async () => {
    await endDeliveries()
    const webhook = await newWebhook('/twice')
    await record()
    const [delivery] = await deliveriesOf(webhook)
    const ended = (statusCode: number, move: DeliveryMove) => ({
      accountId,
      deliveryId: present(delivery, 'recorded').id,
      webhookId: webhook.id,
      attempt: 0,
      startedAt: clock.now(),
      durationMs: 5,
      statusCode,
      error: null,
      responseHead: '',
      move,
    })
    const nextAt = new Date(clock.now().getTime() + minuteMs)
    await own.database.transaction((tx) => recordAttempts(tx, [ended(500, { status: 'pending', nextAt })]))
    await own.database.transaction((tx) => recordAttempts(tx, [ended(200, { status: 'succeeded', nextAt: null })]))
    expect(await deliveriesOf(webhook)).toMatchObject([{ status: 'pending', attempt: 1, attempts: 1, next_at: nextAt }])
    expect(await historyOf(webhook)).toMatchObject([{ n: 1, status_code: 500 }])
  })
})

describe('shards', () => {
  /** An owner that the test tells what it owns. */
  function toldOwnership() {
    const owned = new Map(ownership.owned())
    const listeners: Parameters<Ownership['onChange']>[0][] = []
    const workers: Parameters<Ownership['beforeRelease']>[0][] = []
    const told = (taken: readonly number[], gone: readonly number[]) => {
      for (const listener of listeners) listener({ taken, gone })
    }
    return {
      owned: () => owned,
      onChange: (listener: (typeof listeners)[number]) => listeners.push(listener),
      beforeRelease: (worker: (typeof workers)[number]) => void workers.push(worker),
      async release(shard: number) {
        owned.delete(shard)
        told([], [shard])
        await Promise.all(workers.map((worker) => worker.resting()))
        await until(() => workers.every((worker) => ![...worker.busyShards()].includes(shard)))
      },
      take(shard: number) {
        owned.set(shard, 1)
        told([shard], [])
      },
    }
  }

  async function newWebhookElsewhere(path: string, shard: number): Promise<void> {
    const webhook = await newWebhook(path)
    if (shardOf(webhook.accountId, webhook.id) !== shard) return
    await removeWebhook({ database: own.database, clock, wakeDeliveries: () => {} }, webhook)
    await newWebhookElsewhere(path, shard)
  }

  test('of a shard that is given back nothing more starts, what is under way ends first, and nothing is posted twice when it returns', async () => {
    await endDeliveries()
    const told = toldOwnership()
    deliveries = start({ ownership: told })
    const answers: (() => void)[] = []
    receiver.answer('/moving', (response) => answers.push(() => response.end()))
    const webhook = await newWebhook('/moving')
    const hints = await record({}, 20)
    const { shard } = present(hints[0], 'a webhook wants it')
    deliveries.wake(hints)
    await until(() => answers.length === 8)

    let released = false
    void told.release(shard).then(() => {
      released = true
    })
    deliveries.wake(hints)
    await newWebhookElsewhere('/beside', shard)
    deliveries.wake(await record())
    await until(() => receiver.of('/beside').length === 1)
    expect(released).toBe(false)
    expect(receiver.of('/moving')).toHaveLength(8)
    for (const answer of answers) answer()
    await until(() => released)
    expect((await deliveriesOf(webhook)).filter((each) => each.status === 'succeeded')).toHaveLength(8)

    receiver.answer('/moving', 200)
    told.take(shard)
    await until(async () => (await deliveriesOf(webhook)).every((each) => each.status === 'succeeded'))
    const ids = receiver.of('/moving').map((each) => each.headers['service-event-id'])
    expect(new Set(ids).size).toBe(ids.length)
  })
})

describe('the cost of having nothing to do', () => {
  /** How often the database is asked in ten seconds. */
  async function askedInTenSeconds(prepare: () => Promise<void>): Promise<number> {
    await endDeliveries()
    let asked = 0
    const run: typeof own.database.run = (what, values) => {
      asked += 1
      return own.database.run(what, values)
    }
    deliveries = start({ database: { ...own.database, run } })
    await prepare()
    const settledMs = clock.now().getTime() + 3_000
    await until(() => clock.now().getTime() >= settledMs)
    const before = asked
    await until(() => clock.now().getTime() >= settledMs + 10_000)
    return asked - before
  }

  test('an idle process asks the database once a second', async () => {
    const asked = await askedInTenSeconds(async () => {})
    expect(asked).toBeGreaterThanOrEqual(5)
    expect(asked).toBeLessThanOrEqual(12)
  })

  test('a process that only waits for a receiver that hangs asks once more a second', async () => {
    const answers: (() => void)[] = []
    receiver.answer('/waits', (response) => answers.push(() => response.end()))
    await newWebhook('/waits')
    const asked = await askedInTenSeconds(async () => {
      deliveries.wake(await record())
      await until(() => answers.length === 1)
    })
    expect(asked).toBeLessThanOrEqual(24)
    answers[0]?.()
    await attempted(1)
  })
})

describe('fairness', () => {
  test('a receiver that hangs with many waiting holds its slots at most, and another webhook of the account is served at once', async () => {
    let hanging = 0
    receiver.answer('/black-hole', () => {
      hanging += 1
    })
    await newWebhook('/black-hole')
    deliveries.wake(await record({}, 500))
    await until(() => hanging === 8)
    const live = await newWebhook('/live')
    const otherAccount = await newAccount()
    const other = await newWebhook('/live-too', otherAccount)
    deliveries.wake([...(await record({}, 30)), ...(await record({ account: otherAccount }, 30))])
    await attempted(60)
    expect((await deliveriesOf(live)).every((each) => each.status === 'succeeded')).toBe(true)
    expect((await deliveriesOf(other)).every((each) => each.status === 'succeeded')).toBe(true)
    expect(hanging).toBe(8)
    await strangers.close()
  })
})
