import { present } from '../../src/base/assert.ts'
import { type ManualClock, manualClock, systemClock } from '../../src/base/clock.ts'
import type { Uuid } from '../../src/base/id.ts'
import type { JsonText } from '../../src/base/json.ts'
import type { Refusal } from '../../src/base/refusal.ts'
import type { Result } from '../../src/base/result.ts'
import { parseSecretKey } from '../../src/base/seal.ts'
import { createAccount } from '../../src/features/accounts/public.ts'
import { type Deliveries, startDeliveries } from '../../src/features/webhooks/lanes.ts'
import { type LocalReceiver, localReceiver } from '../../src/features/webhooks/local-receiver.ts'
import type { WebhookObservation } from '../../src/features/webhooks/observation.ts'
import { recordEvents } from '../../src/features/webhooks/record-event.ts'
import { registerWebhook } from '../../src/features/webhooks/register.ts'
import { retryDelivery } from '../../src/features/webhooks/retry.ts'
import type { DeliveryHint, Webhook } from '../../src/features/webhooks/webhook.ts'
import type { Database } from '../../src/platform/database/database.ts'
import { statement } from '../../src/platform/database/statement.ts'
import { createStrangerClient, type StrangerClient } from '../../src/platform/fetch/post-to-stranger.ts'
import { createOwnership, type Ownership } from '../../src/platform/lanes/ownership.ts'
import { type TestDatabase, testDatabase } from './database.ts'

export const secretKey = present(parseSecretKey(Buffer.alloc(32, 7).toString('base64')), '32 bytes')
const policy = { allowPrivate: true, allowCidrs: [], certificateAuthorities: null, ownEndpoints: [] }

export type RegisteredWebhook = Webhook & { secret: string }
export type DeliveryState = { id: Uuid; status: string; attempt: number; attempts: number; next_at: Date | null }
export type AttemptState = { n: number; manual: boolean; started_at: Date; status_code: number | null; response_head: string }

/** Deliveries as they really run, on a database of their own and before a real receiver, with a clock that the test moves. For tests alone. */
export type DeliveryStage = {
  database: Database
  receiver: LocalReceiver
  clock: ManualClock
  observed: WebhookObservation[]
  lanes: Deliveries
  /** Stops the lanes while time goes on: what is under way is recorded at its moment. */
  stop(): Promise<void>
  /** Stops the lanes and starts others, as another process would; with another database, those of that one. */
  restart(database?: Database): Promise<void>
  account(): Promise<Uuid>
  webhook(account: Uuid, path: string): Promise<RegisteredWebhook>
  /** Records events, and wakes their lanes. */
  record(account: Uuid, count?: number, data?: string): Promise<void>
  retry(webhook: Webhook, deliveryId: Uuid): ReturnType<typeof retryDelivery>
  run<Row>(text: string, values?: readonly unknown[]): Promise<Row[]>
  deliveriesOf(webhook: Webhook): Promise<DeliveryState[]>
  attemptsOf(webhook: Webhook): Promise<AttemptState[]>
  retriesOf(webhook: Webhook): Promise<number>
  /** Moves time along, `speed` times as fast as it passes, until the condition holds. */
  until(holds: () => boolean | Promise<boolean>, speed?: number): Promise<void>
  /** Until so many attempts have ended since the last reset. */
  attempted(count: number, speed?: number): Promise<void>
  /** Leaves nothing of one test to the next. */
  reset(): Promise<void>
  close(): Promise<void>
}

/** The answer of work that needs time to go on meanwhile: `until` moves it. */
export async function whileTimePasses<Value>(until: (holds: () => boolean) => Promise<void>, work: Promise<Value>): Promise<Value> {
  let ended = false
  const ending = work.finally(() => {
    ended = true
  })
  await until(() => ended)
  return ending
}

export function done<Value>(result: Result<Value, Refusal>): Value {
  if (!result.ok) throw new Error(`refused: ${result.refusal.message}`)
  return result.value
}

export async function openDeliveryStage(): Promise<DeliveryStage> {
  const own: TestDatabase = await testDatabase()
  const { database } = own
  // The lease runs by the real clock; everything about deliveries by the one that the tests move.
  const ownership: Ownership = createOwnership({ database, clock: systemClock(), observe: () => {} }, { alone: true })
  await ownership.start()
  const receiver = await localReceiver()
  const strangers: StrangerClient = createStrangerClient({ clock: systemClock(), policy })
  // Today, because the test database has today's partitions.
  const clock = manualClock(new Date().toISOString())
  const observed: WebhookObservation[] = []
  const start = (on: Database) =>
    startDeliveries({ database: on, clock, observe: (each) => observed.push(each), ownership, strangers, secretKey })
  let statements = 0
  const run = <Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> => {
    statements += 1
    return database.run<Row>(statement(`test_${statements}`, text), values)
  }
  const wakeDeliveries = (hints: readonly DeliveryHint[]) => stage.lanes.wake(hints)

  const stage: DeliveryStage = {
    ...{ database, receiver, clock, observed, run },
    lanes: start(database),
    async stop() {
      await whileTimePasses(stage.until, stage.lanes.stop())
    },
    async restart(on = database) {
      await stage.stop()
      stage.lanes = start(on)
    },
    account: async () => done(await createAccount({ database, clock }, { name: 'Padaria', plan: null })).id,
    async webhook(accountId, path) {
      const registration = { accountId, url: receiver.urlOf(path), events: ['*'] as const, description: null }
      const { webhook, secret } = done(await registerWebhook({ database, clock, policy, secretKey }, registration))
      return { ...webhook, secret }
    },
    async record(accountId, count = 1, data = '{}') {
      const event = { accountId, livemode: true, type: 'message.sent', data: data as JsonText } as const
      wakeDeliveries(
        await database.transaction((tx) =>
          recordEvents(
            tx,
            { clock },
            Array.from({ length: count }, () => event),
          ),
        ),
      )
    },
    retry: ({ accountId, id }, deliveryId) => retryDelivery({ database, clock, wakeDeliveries }, { accountId, webhookId: id, deliveryId }),
    deliveriesOf: ({ accountId, id }) =>
      run('select id, status, attempt, attempts, next_at from delivery where account_id = $1 and webhook_id = $2 order by id', [
        accountId,
        id,
      ]),
    attemptsOf: ({ accountId, id }) =>
      run(
        `select n, manual, started_at, status_code, response_head
        from delivery_attempt join delivery on delivery.account_id = delivery_attempt.account_id and delivery.id = delivery_id
        where delivery.account_id = $1 and webhook_id = $2 order by delivery_id, n`,
        [accountId, id],
      ),
    async retriesOf({ accountId, id }) {
      return (await run('select 1 from delivery_retry where account_id = $1 and webhook_id = $2', [accountId, id])).length
    },
    async until(holds, speed = 5) {
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
    },
    attempted: (count, speed) => stage.until(() => observed.filter((each) => each.kind === 'webhook.attempt').length >= count, speed),
    async reset() {
      await stage.stop()
      const failed = observed.filter((each) => each.kind === 'lane.tick_failed')
      observed.length = 0
      await run(`update delivery set status = 'canceled', next_at = null where status = 'pending'`)
      await run('delete from delivery_retry')
      await run('delete from webhook_lane')
      stage.lanes = start(database)
      if (failed.length > 0) throw new Error(`a tick failed: ${JSON.stringify(failed[0])}`)
    },
    async close() {
      await stage.stop()
      await strangers.close()
      await ownership.stop()
      await receiver.close()
      await own.close()
    },
  }
  return stage
}
