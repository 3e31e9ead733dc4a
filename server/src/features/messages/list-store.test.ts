import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts'
import { type CountedQueries, countRows } from '../../../test/support/rows-touched.ts'
import { newUuid, type Uuid } from '../../base/id.ts'
import { TooMuchToRead } from '../../platform/database/steps.ts'
import { listPage } from './list.ts'
import { listMessages, type MessageFilter } from './list-store.ts'
import type { MessageStatus } from './message.ts'

const amount = 12_000
const few = 21
const accountId = newUuid(new Date())
const contactId = newUuid(new Date())
let own: TestDatabase
let counted: CountedQueries
let all: { id: Uuid; livemode: boolean; direction: string; status: string; source: string; client_reference: string }[]

beforeAll(async () => {
  own = await testDatabase()
  counted = await countRows(own)
  // All of one person and one reference: what the console sent was delivered; one in 4,000 had another fate, source or mode.
  await sql(
    `insert into message (account_id, id, livemode, channel_id, contact_id, direction, type, kind, status, source, client_reference, sent_at, error_message)
    select $1, uuidv7(), n % 4000 <> 7, $1, $2, case when n % 4000 = 6 then 'inbound' else 'outbound' end, 'text', 'text',
      case n % 4000 when 1 then 'queued' when 2 then 'sent' when 3 then 'read' when 4 then 'failed' when 5 then 'failed' when 6 then 'received' else 'delivered' end,
      case when n % 4000 in (5, 8) then 'api' when n % 4000 = 6 then 'chat' else 'crm' end, 'one',
      case when n % 4000 in (1, 6) then null else now() end, case when n % 4000 in (4, 5) then 'no' end
    from generate_series(1, ${amount}) as n`,
    [accountId, contactId],
  )
  await sql('analyze message')
  all = await sql('select id, livemode, direction, status, source, client_reference from message order by id desc')
})
afterAll(async () => {
  await counted.close()
  await own.close()
})

const sql = <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
  own.database.all({ compile: () => ({ sql: text, parameters: values }) as never })

const statuses: (MessageStatus | null)[] = [null, 'queued', 'sent', 'delivered', 'read', 'failed', 'received']
const combinations: Partial<MessageFilter>[] = [
  ...statuses.flatMap((status) => [{ status }, { status, source: 'api' as const }]),
  ...[
    { direction: 'inbound' },
    { direction: 'outbound' },
    { direction: 'inbound', source: 'api' },
    { direction: 'inbound', status: 'sent' },
  ],
  ...[{ livemode: false }, { livemode: false, direction: 'inbound' }],
] as Partial<MessageFilter>[]

const filterOf = (part: Partial<MessageFilter>): MessageFilter => ({
  ...{ accountId, livemode: true, before: null, from: null, until: null, direction: null, status: null },
  ...{ contactIds: null, clientReference: null, source: null, ...part },
})

/** What the list has to show, found the simple way. */
const expected = (filter: MessageFilter) =>
  all
    .filter((each) => each.livemode === filter.livemode && each.id < (filter.before ?? 'g') && each.id >= (filter.from ?? ''))
    .filter((each) => each.id < (filter.until ?? 'g') && each.status === (filter.status ?? each.status))
    .filter((each) => each.direction === (filter.direction ?? each.direction) && each.source === (filter.source ?? each.source))
    .slice(0, few)
    .map((each) => each.id)

const shown = async (filter: MessageFilter) => (await listMessages(counted.queries, filter, few)).rows.map((each) => each.id)

test.each([
  ['all messages', {}, 600],
  ['those of a person', { contactIds: [contactId] }, 5_100],
  ['those of a reference', { clientReference: 'one' }, 5_100],
  ['those before a moment', { until: 'middle' }, 600],
  ['those since a moment', { from: 'middle' }, 600],
])(
  'every filter of %s finds exactly what fits, and no statement reads more than a bounded number of rows',
  async (_what, part, rowsMax) => {
    const middle = all[amount / 2]?.id as Uuid
    const among = Object.fromEntries(Object.entries(part).map(([name, value]) => [name, value === 'middle' ? middle : value]))
    counted.mostRows()
    for (const each of combinations) {
      const filter = filterOf({ ...each, ...among })
      expect(await shown(filter), JSON.stringify(filter)).toEqual(expected(filter))
      expect(counted.mostRows(), JSON.stringify(filter)).toBeLessThan(rowsMax)
    }
  },
)

test('pages of what is rare follow each other without a gap', async () => {
  for (const part of [{}, { clientReference: 'one' }]) {
    const seen: Uuid[] = []
    for (let before: Uuid | null = null; ; ) {
      const { rows: page } = await listMessages(counted.queries, filterOf({ ...part, status: 'failed', before }), 3)
      seen.push(...page.map((each) => each.id))
      before = page.at(-1)?.id ?? null
      if (page.length < 3) break
    }
    expect(seen).toEqual(all.filter((each) => each.status === 'failed').map((each) => each.id))
  }
})

test('a filter that fits nothing is looked for in steps that read each row once', async () => {
  const before = counted.statements()
  expect(await shown(filterOf({ contactIds: [contactId], status: 'failed', source: 'chat' }))).toEqual([])
  // 500, 5,000, 5,000 and the rest of 12,000.
  expect(counted.statements() - before).toBe(4)
})

test('a page that is full soon reads no more than it shows', async () => {
  for (const part of [{}, { contactIds: [contactId] }, { clientReference: 'one', status: 'delivered' as const }]) {
    counted.mostRows()
    expect(await shown(filterOf(part))).toHaveLength(few)
    expect(counted.mostRows(), JSON.stringify(part)).toBeLessThan(2 * few)
  }
})

describe('a list whose time is over', () => {
  beforeEach(() => counted.setOver(true))
  afterEach(() => counted.setOver(false))

  test('shows what was found so far, and the next pages go on behind it until all is shown', async () => {
    const filter = filterOf({ clientReference: 'one', direction: 'outbound' })
    const seen: Uuid[] = []
    for (let before: Uuid | null = null; ; ) {
      const { rows, stoppedAt } = await listMessages(counted.queries, { ...filter, before }, 3_000)
      seen.push(...rows.map((each) => each.id))
      before = rows.at(-1)?.id ?? null
      if (stoppedAt === null) break
      expect(rows.length).toBeLessThanOrEqual(500)
    }
    expect(seen).toEqual(all.filter((each) => each.livemode && each.direction === 'outbound').map((each) => each.id))
  })

  test('says that more follows, and is refused where nothing was found: never does it say that there is nothing', async () => {
    const wanted = { ...filterOf({ clientReference: 'one' }), phone: null, startingAfter: null, since: null, until: null, isTeam: false }
    const shownOnly = { ...counted.queries, run: async () => [] }
    await expect(listPage({ database: shownOnly }, { ...wanted, status: 'failed', limit: 20 })).rejects.toThrow(TooMuchToRead)
    await sql('insert into contact (account_id, id, livemode, phone, created_at) values ($1, $2, true, $3, now())', [
      accountId,
      contactId,
      '5511987650001',
    ])
    const page = await listPage({ database: counted.queries }, { ...wanted, limit: 600 })
    expect(page).toMatchObject({ ok: true, value: { hasMore: true } })
  })

  test('shows of several contacts nothing that stands below a place where one of them stopped', async () => {
    const [account, first, second] = [newUuid(new Date()), newUuid(new Date()), newUuid(new Date())]
    await sql(
      `insert into message (account_id, id, livemode, channel_id, contact_id, direction, type, kind, status, source, sent_at)
      select $1, case when n = 0 then uuidv7(interval '-1 day') else uuidv7() end, true, $1, case when n = 0 then $3::uuid else $2::uuid end,
        'outbound', 'text', 'text', 'delivered', 'api', now()
      from generate_series(0, 600) as n`,
      [account, first, second],
    )
    const ofBoth = filterOf({ accountId: account, contactIds: [first, second] })
    const { rows, stoppedAt } = await listMessages(counted.queries, ofBoth, 1_000)
    expect([rows.length, stoppedAt]).toEqual([500, rows.at(-1)?.id])
    counted.setOver(false)
    expect((await listMessages(counted.queries, ofBoth, 1_000)).rows).toHaveLength(601)
  })
})
