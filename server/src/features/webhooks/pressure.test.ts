import type { ServerResponse } from 'node:http'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type DeliveryStage, openDeliveryStage } from '../../../test/support/delivery-stage.ts'
import type { Uuid } from '../../base/id.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Statement } from '../../platform/database/statement.ts'
import { slots } from './rules.ts'

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

const countOf = async (accountId: Uuid, status: string): Promise<number> =>
  (await stage.run(`select 1 from delivery where account_id = $1 and status = '${status}'`, [accountId])).length

describe('deliveries under pressure', () => {
  // rule: delivery 9
  test('an account with little to tell is served while one with ten webhooks and a thousand deliveries has hardly begun', async () => {
    for (let i = 0; i < 10; i += 1) await stage.webhook(account, `/large-${i}`)
    const small = await stage.account()
    await stage.webhook(small, '/small')
    await stage.stop()
    await stage.record(account, 100)
    await stage.record(small, 8)
    await stage.restart()
    await stage.until(async () => (await countOf(small, 'succeeded')) === 8)
    expect(await countOf(account, 'succeeded')).toBeLessThanOrEqual(10 * slots.ofWebhook * 3)
    await stage.until(async () => (await countOf(account, 'succeeded')) === 1_000)
  })

  test('thirty receivers that hang, with hundreds waiting, hold their slots and nothing else: what is live passes', async () => {
    const hanging: ServerResponse[] = []
    stage.receiver.answer('/hang', (response) => hanging.push(response))
    const accounts = await Promise.all(Array.from({ length: 3 }, () => stage.account()))
    for (const each of accounts) for (let i = 0; i < 10; i += 1) await stage.webhook(each, '/hang')
    for (const each of accounts) await stage.record(each, 30)
    await stage.until(() => hanging.length === 240)
    await stage.webhook(account, '/live')
    const startMs = stage.clock.now().getTime()
    await stage.record(account, 300)
    // The clock moves no further than the deadline of those that hang: none of their slots has come free.
    await stage.until(async () => (await countOf(account, 'succeeded')) === 300, 1)
    expect(stage.clock.now().getTime() - startMs).toBeLessThan(10_000)
    expect(hanging).toHaveLength(240)
    stage.receiver.answer('/hang', 200)
    for (const response of hanging) response.end()
  })
})

describe('a dead webhook', () => {
  const deadRows = 20_000

  /** How many rows of a table, and of its indexes, a statement looks at. */
  async function rowsRead(what: Statement, values: readonly unknown[], table: string): Promise<number> {
    const [row] = await stage.run<{ 'QUERY PLAN': string }>(`explain (analyze, format json) ${what.text}`, values)
    type Plan = {
      'Relation Name'?: string
      'Actual Rows': number
      'Actual Loops': number
      'Rows Removed by Filter'?: number
      Plans?: Plan[]
    }
    const sum = (plan: Plan): number =>
      (plan['Relation Name']?.startsWith(table)
        ? (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops']
        : 0) + (plan.Plans ?? []).reduce((total, each) => total + sum(each), 0)
    const plans = JSON.parse(row?.['QUERY PLAN'] ?? '[]') as { Plan: Plan }[]
    return plans.reduce((total, each) => total + sum(each.Plan), 0)
  }

  test.each([
    ['later', `now() + interval '1 hour'`],
    ['now', `now() - interval '1 hour'`],
  ])('with many pending rows that are due %s is never scanned', async (_when, dueAt) => {
    const dead = await stage.webhook(account, '/dead')
    await stage.stop()
    await stage.record(account)
    await stage.run(
      `insert into delivery (account_id, id, webhook_id, event_id, event_type, next_at, created_at, attempt, attempts)
      select account_id, (left(id::text, 24) || lpad(to_hex(n), 12, '0'))::uuid, webhook_id, event_id, event_type, ${dueAt}, created_at, 1, 1
      from delivery, generate_series(1, ${deadRows}) as n where webhook_id = $1`,
      [dead.id],
    )
    await stage.run('analyze delivery')
    stage.receiver.answer('/dead', 500)
    const live = await stage.webhook(account, '/beside-dead')
    const asked: { what: Statement; values: readonly unknown[] }[] = []
    const listening: Database = {
      ...stage.database,
      run(what, values) {
        if (what.name === 'take_due_deliveries') asked.push({ what, values })
        return stage.database.run(what, values)
      },
    }
    await stage.restart(listening)
    await stage.record(account, 10)
    await stage.until(async () => (await stage.deliveriesOf(live)).filter((each) => each.status === 'succeeded').length === 10)
    await stage.stop()
    expect(asked.length).toBeGreaterThan(0)
    for (const { what, values } of asked.slice(0, 10)) {
      const wanted = (values[2] as number[]).reduce((total, each) => total + each, 0)
      // What is handed out, and what is under way and passed over.
      expect(await rowsRead(what, values, 'delivery')).toBeLessThanOrEqual(wanted + (values[6] as string[]).length + wanted)
    }
  })
})
