import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts'
import { type CountedQueries, countRows } from '../../../test/support/rows-touched.ts'
import { newUuid, type Uuid } from '../../base/id.ts'
import { TooMuchToRead } from '../../platform/database/steps.ts'
import type { EventKind } from './event.ts'
import { listDeliveries } from './history-store.ts'
import type { DeliveryStatus } from './webhook.ts'

const lane = { accountId: newUuid(new Date()), webhookId: newUuid(new Date()) }
let own: TestDatabase
let counted: CountedQueries
let all: { id: Uuid; status: DeliveryStatus; event_type: EventKind }[]

beforeAll(async () => {
  own = await testDatabase()
  counted = await countRows(own)
  await sql(
    `insert into delivery (account_id, id, webhook_id, event_id, event_type, status, next_at, created_at)
    select $1, uuidv7(), $2, $1, case when n % 3000 = 1 then 'message.failed' else 'message.sent' end,
      case n % 3000 when 2 then 'pending' when 3 then 'canceled' when 4 then 'failed' else 'succeeded' end, case n % 3000 when 2 then now() end, now()
    from generate_series(1, 12000) as n`,
    [lane.accountId, lane.webhookId],
  )
  await sql('analyze delivery')
  all = await sql('select id, status, event_type from delivery order by id desc')
})
afterAll(async () => {
  await counted.close()
  await own.close()
})

const sql = <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
  own.database.all({ compile: () => ({ sql: text, parameters: values }) as never })

test.each<[DeliveryStatus | null, EventKind | null]>([
  [null, null],
  ['pending', null],
  ['canceled', null],
  ['failed', null],
  ['succeeded', null],
  [null, 'message.failed'],
  ['succeeded', 'message.failed'],
  ['canceled', 'message.failed'],
])('a history of %s and %s shows what fits, and no statement reads more than a bounded number of rows', async (status, eventType) => {
  const before = counted.statements()
  const { rows: page } = await listDeliveries(counted.queries, lane, { before: null, status, eventType, limit: 21 })
  const expected = all.filter((each) => each.status === (status ?? each.status) && each.event_type === (eventType ?? each.event_type))
  expect(page.map((each) => each.id)).toEqual(expected.slice(0, 21).map((each) => each.id))
  expect(counted.statements() - before).toBeLessThanOrEqual(4)
  expect(counted.mostRows()).toBeLessThan(5_100)
})

test('a history whose time is over shows what was found and where it stopped, and is refused where nothing was', async () => {
  counted.setOver(true)
  const wanted = { before: null, status: null, eventType: null, limit: 1_000 }
  const { rows, stoppedAt } = await listDeliveries(counted.queries, lane, wanted)
  expect([rows.length, stoppedAt]).toEqual([500, all[499]?.id])
  await expect(listDeliveries(counted.queries, lane, { ...wanted, status: 'canceled' })).rejects.toThrow(TooMuchToRead)
  counted.setOver(false)
})
