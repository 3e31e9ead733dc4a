import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type DeliveryStage, openDeliveryStage } from '../../../test/support/delivery-stage.ts'
import { refuseInDatabase } from '../../../test/support/notice-stage.ts'
import type { Uuid } from '../../base/id.ts'
import { slots } from './rules.ts'

let stage: DeliveryStage
let account: Uuid
let mend: () => Promise<void>
beforeAll(async () => {
  stage = await openDeliveryStage()
})
afterAll(() => stage.close())
beforeEach(async () => {
  account = await stage.account()
})
afterEach(async () => {
  await mend()
  await stage.reset()
})

const succeeded = async (webhook: Parameters<DeliveryStage['deliveriesOf']>[0]) =>
  (await stage.deliveriesOf(webhook)).filter((each) => each.status === 'succeeded')
const refusals = () => stage.observed.filter((each) => each.kind === 'webhook.result_refused')

test('a result whose answer the database refuses is recorded without the answer’s words', async () => {
  mend = await refuseInDatabase(stage.database, {
    table: 'delivery_attempt',
    when: 'before insert',
    body: "if new.response_head = 'poison' then raise check_violation using message = 'no'; end if;",
  })
  stage.receiver.answer('/odd', (response) => response.end('poison'))
  const odd = await stage.webhook(account, '/odd')
  await stage.record(account)
  await stage.until(async () => (await succeeded(odd)).length === 1)
  expect(await stage.attemptsOf(odd)).toMatchObject([{ n: 1, status_code: 200, response_head: '' }])
  expect(refusals()).toEqual([])
})

test('results that the database refuses however they are written keep no slot, and are posted again by the ladder alone until they are taken', async () => {
  const bad = await stage.webhook(account, '/refused')
  mend = await refuseInDatabase(stage.database, {
    table: 'delivery',
    when: 'before update',
    body: `if new.webhook_id = '${bad.id}' then raise check_violation using message = 'no'; end if;`,
  })
  const count = 3 * slots.ofWebhook
  await stage.record(account, count)
  await stage.until(() => refusals().length === count)
  const other = await stage.account()
  const good = await stage.webhook(other, '/beside-refused')
  await stage.record(other, 5)
  await stage.until(async () => (await succeeded(good)).length === 5)
  // Less than the first delay of the ladder has passed.
  expect(stage.receiver.of('/refused')).toHaveLength(count)
  await mend()
  await stage.until(async () => (await succeeded(bad)).length === count, 200)
  expect(stage.receiver.of('/refused')).toHaveLength(2 * count)
})

test('results for which there is no partition are kept until there is one, and nothing is posted a second time', async () => {
  const bad = await stage.webhook(account, '/no-partition')
  const [row] = await stage.run<{ name: string; bounds: string }>(
    `select oid::regclass::text as name, pg_get_expr(relpartbound, oid) as bounds from pg_class
    where oid = to_regclass('delivery_attempt_' || to_char(now() at time zone 'utc', 'YYYYMMDD'))`,
  )
  await stage.run(`alter table delivery_attempt detach partition ${row?.name}`)
  mend = async () => void (await stage.run(`alter table delivery_attempt attach partition ${row?.name} ${row?.bounds}`).catch(() => {}))
  await stage.record(account, 3)
  await stage.until(() => stage.observed.filter((each) => each.kind === 'webhook.result_waits').length >= 6)
  await mend()
  await stage.until(async () => (await succeeded(bad)).length === 3)
  expect(stage.receiver.of('/no-partition')).toHaveLength(3)
  expect(refusals()).toEqual([])
})
