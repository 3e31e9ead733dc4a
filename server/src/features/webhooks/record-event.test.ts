import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts'
import { present } from '../../base/assert.ts'
import { manualClock } from '../../base/clock.ts'
import { formatId, type Uuid } from '../../base/id.ts'
import type { JsonText } from '../../base/json.ts'
import { parseSecretKey } from '../../base/seal.ts'
import type { Tx } from '../../platform/database/database.ts'
import { statement } from '../../platform/database/statement.ts'
import { shardOf } from '../../platform/lanes/shard.ts'
import { createAccount } from '../accounts/public.ts'
import type { EventKind } from './event.ts'
import { lockLanes, raiseLanes } from './lane-store.ts'
import { recordEvents } from './record-event.ts'
import { registerWebhook } from './register.ts'
import { removeWebhook } from './remove.ts'
import { settleLanes } from './settle.ts'
import type { WantedEvent, Webhook } from './webhook.ts'

// Today, because the test database has today's partitions.
const clock = manualClock(new Date().toISOString())
const secretKey = present(parseSecretKey(Buffer.alloc(32, 7).toString('base64')), '32 bytes')
const policy = { allowPrivate: false, allowCidrs: [], certificateAuthorities: null, ownEndpoints: [] }
let own: TestDatabase
let accountId: Uuid

beforeAll(async () => {
  own = await testDatabase()
})
afterAll(() => own.close())
beforeEach(async () => {
  accountId = await newAccount()
})

async function newAccount(): Promise<Uuid> {
  const made = await createAccount({ database: own.database, clock }, { name: 'Padaria', plan: null })
  if (!made.ok) throw new Error(made.refusal.message)
  return made.value.id
}

async function newWebhook(events: readonly WantedEvent[], account = accountId): Promise<Webhook> {
  const deps = { database: own.database, clock, policy, secretKey }
  const made = await registerWebhook(deps, { accountId: account, url: 'https://example.com/events', events, description: null })
  if (!made.ok) throw new Error(made.refusal.message)
  return made.value.webhook
}

const event = (type: EventKind, data = '{}', account = accountId) => ({ accountId: account, livemode: true, type, data: data as JsonText })

const record = (...events: ReturnType<typeof event>[]) => own.database.transaction((tx) => recordEvents(tx, { clock }, events))

const eventsOf = (account = accountId) =>
  own.database.run<{ id: Uuid; type: string; body: Buffer; livemode: boolean }>(
    statement('test_events', 'select id, type, body, livemode from event where account_id = $1 order by id'),
    [account],
  )

const deliveriesOf = (webhook: Webhook) =>
  own.database.run<{ event_id: Uuid; event_type: string; status: string; attempt: number; next_at: Date | null }>(
    statement(
      'test_deliveries',
      'select event_id, event_type, status, attempt, next_at from delivery where account_id = $1 and webhook_id = $2 order by id',
    ),
    [webhook.accountId, webhook.id],
  )

const earliestDueOf = async ({ accountId, id }: Webhook) =>
  (
    await own.database.run<{ due: Date | null }>(
      statement('test_lane', `select nullif(earliest_due, 'infinity') as due from webhook_lane where account_id = $1 and webhook_id = $2`),
      [accountId, id],
    )
  )[0]?.due

const laneOf = ({ accountId, id }: Webhook) => ({ accountId, webhookId: id })

describe('recording events', () => {
  test('each event is stored once with its exact bytes, and each webhook that wants it is owed one delivery, due at once', async () => {
    const all = await newWebhook(['*'])
    const some = await newWebhook(['message.read', 'message.failed'])
    const hints = await record(event('message.sent', '{"n":12345678901234567890}'), event('message.read'))

    const [sent, read] = await eventsOf()
    expect(sent?.body.toString()).toContain('"data":{"n":12345678901234567890}}')
    expect(JSON.parse(String(read?.body)).id).toBe(formatId('evt', present(read, 'recorded').id))
    const due = { status: 'pending', attempt: 0, next_at: clock.now() }
    expect(await deliveriesOf(all)).toEqual([
      { event_id: sent?.id, event_type: 'message.sent', ...due },
      { event_id: read?.id, event_type: 'message.read', ...due },
    ])
    expect(await deliveriesOf(some)).toEqual([{ event_id: read?.id, event_type: 'message.read', ...due }])
    expect(new Set(hints)).toEqual(new Set([all, some].map(({ id }) => ({ accountId, webhookId: id, shard: shardOf(accountId, id) }))))
    expect(await earliestDueOf(all)).toEqual(clock.now())
  })

  test('an event that no webhook wants is stored all the same, and wakes nobody', async () => {
    const webhook = await newWebhook(['message.read'])
    expect(await record(event('message.sent'))).toEqual([])
    expect(await eventsOf()).toHaveLength(1)
    expect(await deliveriesOf(webhook)).toEqual([])
  })

  test('events of several accounts in one call reach only webhooks of their own account', async () => {
    const other = await newAccount()
    const [mine, theirs] = [await newWebhook(['*']), await newWebhook(['*'], other)]
    await record(event('message.sent'), event('message.read', '{}', other))
    expect((await deliveriesOf(mine)).map((each) => each.event_type)).toEqual(['message.sent'])
    expect((await deliveriesOf(theirs)).map((each) => each.event_type)).toEqual(['message.read'])
  })

  test('a disabled webhook is owed nothing', async () => {
    const webhook = await newWebhook(['*'])
    await own.database.run(statement('test_disable', 'update webhook set enabled = false where account_id = $1 and id = $2'), [
      accountId,
      webhook.id,
    ])
    expect(await record(event('message.sent'))).toEqual([])
    expect(await deliveriesOf(webhook)).toEqual([])
  })

  test('nothing of it remains when the transaction of the caller is rolled back', async () => {
    const webhook = await newWebhook(['*'])
    const rolledBack = own.database.transaction(async (tx) => {
      await recordEvents(tx, { clock }, [event('message.sent')])
      throw new Error('the caller changed its mind')
    })
    await expect(rolledBack).rejects.toThrow('changed its mind')
    expect(await eventsOf()).toEqual([])
    expect(await deliveriesOf(webhook)).toEqual([])
    expect(await earliestDueOf(webhook)).toBeUndefined()
  })
})

describe('a lane and its deliveries', () => {
  const deps = () => ({ database: own.database, clock, observe: () => {} })
  const settle = async (webhook: Webhook) => (await settleLanes(deps(), [laneOf(webhook)])).get(webhook.id)?.dueAt

  test('a lane is raised to its earliest pending delivery, and to never when nothing is pending', async () => {
    const webhook = await newWebhook(['*'])
    await record(event('message.sent'))
    expect(await settle(webhook)).toEqual(clock.now())
    await own.database.run(statement('test_succeed', `update delivery set status = 'succeeded', next_at = null where account_id = $1`), [
      accountId,
    ])
    expect(await settle(webhook)).toBeNull()
    expect(await earliestDueOf(webhook)).toBeNull()
  })

  test('an event that commits while its lane is being raised leaves the lane due, whoever locks the row first', async () => {
    const webhook = await newWebhook(['*'])
    await record(event('message.sent'))
    await own.database.run(statement('test_succeed', `update delivery set status = 'succeeded', next_at = null where account_id = $1`), [
      accountId,
    ])

    // The writer first: the owner waits for its commit.
    const writer = heldTransaction((tx) => recordEvents(tx, { clock }, [event('message.read')]))
    await writer.worked
    const raised = settle(webhook)
    await waitingForLock()
    writer.commit()
    await writer.committed
    expect(await raised).toEqual(clock.now())

    // The owner first: the writer waits, and lowers what the owner wrote.
    await own.database.run(statement('test_succeed', `update delivery set status = 'succeeded', next_at = null where account_id = $1`), [
      accountId,
    ])
    const owner = heldTransaction(async (tx) => {
      await lockLanes(tx, [laneOf(webhook)])
      await raiseLanes(tx, [laneOf(webhook)])
    })
    await owner.worked
    const recorded = record(event('message.failed'))
    await waitingForLock()
    owner.commit()
    await Promise.all([owner.committed, recorded])
    expect(await earliestDueOf(webhook)).toEqual(clock.now())
  })

  // rule: delivery 6
  test('an event that was under way when its webhook was removed is canceled by the owner of the lane, and the lane goes', async () => {
    const webhook = await newWebhook(['*'])
    const writer = heldTransaction((tx) => recordEvents(tx, { clock }, [event('message.read')]))
    await writer.worked
    const removed = removeWebhook({ database: own.database, clock, wakeDeliveries: () => {} }, { accountId, id: webhook.id })
    await waitingForLock()
    writer.commit()
    await writer.committed
    expect(await removed).toEqual({ ok: true, value: null })
    expect(await settle(webhook)).toBeNull()
    expect((await deliveriesOf(webhook)).map((each) => each.status)).toEqual(['canceled'])
    expect(await earliestDueOf(webhook)).toBeUndefined()
  })

  test('a removed lane comes back for a delivery that commits after it, and is cleaned up again', async () => {
    const webhook = await newWebhook(['*'])
    const started = Promise.withResolvers<void>()
    const goOn = Promise.withResolvers<void>()
    const late = own.database.transaction(async (tx) => {
      // The webhook is read here, as `recordEvents` does first; then everything about it is removed.
      const paused: Tx = {
        ...tx,
        run: async (what, values) => {
          if (what.name === 'insert_events_and_deliveries') {
            started.resolve()
            await goOn.promise
          }
          return tx.run(what, values)
        },
      }
      await recordEvents(paused, { clock }, [event('message.read')])
    })
    await started.promise
    await removeWebhook({ database: own.database, clock, wakeDeliveries: () => {} }, { accountId, id: webhook.id })
    expect(await settle(webhook)).toBeNull()
    goOn.resolve()
    await late
    expect(await earliestDueOf(webhook)).toEqual(clock.now())
    expect(await settle(webhook)).toBeNull()
    expect((await deliveriesOf(webhook)).map((each) => each.status)).toEqual(['canceled'])
    expect(await earliestDueOf(webhook)).toBeUndefined()
  })
})

/** A transaction that has done its work and stays open until told to commit. */
function heldTransaction(work: (tx: Tx) => Promise<unknown>) {
  const worked = Promise.withResolvers<void>()
  const mayCommit = Promise.withResolvers<void>()
  const committed = own.database.transaction(async (tx) => {
    await work(tx)
    worked.resolve()
    await mayCommit.promise
  })
  return { worked: worked.promise, commit: () => mayCommit.resolve(), committed }
}

/** Resolves when some statement of this database waits for a lock. */
async function waitingForLock(): Promise<void> {
  const waiting = statement(
    'test_waiting',
    `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  )
  for (let look = 0; look < 2_000; look += 1) if ((await own.database.run(waiting, [])).length > 0) return
  throw new Error('nothing waits for a lock')
}
