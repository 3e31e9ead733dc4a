import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { present } from '../../src/base/assert.ts'
import type { TestAccount } from '../support/accounts.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { until } from '../support/processes/until.ts'
import { textTo } from '../support/texts.ts'

let gateway: TestGateway
let account: TestAccount
let outside: Client

// No loop of the core runs here, which would notice by itself.
beforeAll(async () => {
  gateway = await startTestGateway({ settings: { ROLES: 'api' } })
  account = await gateway.account()
  outside = new Client({ connectionString: present(gateway.config.databaseUrl, 'the database of the test') })
  await outside.connect()
})
afterAll(async () => {
  await outside.end()
  await gateway.close()
})

type Ready = { status: number; body: { checks: Record<string, { ok: boolean; note?: string }> } }
const ready = () => gateway.call('GET', '/ready') as Promise<Ready>
const refusedReady = (msMax: number) =>
  until(
    '/ready is 503',
    async () => {
      const looked = await ready()
      return looked.status === 503 && looked
    },
    msMax,
  )
const send = () => gateway.call('POST', '/v1/messages', { key: account.test, body: textTo(gateway.newPerson(), 'Oi') })

test('while every send is refused, because somebody holds the lock of a table, a process that only serves is not ready; afterwards it is again', async () => {
  expect((await send()).status).toBe(202)
  await outside.query('begin; lock table message in exclusive mode')
  const statuses: number[] = []
  let isOver = false
  const sending = (async () => {
    while (!isOver) statuses.push((await send()).status)
  })()
  const refused = await refusedReady(20_000)
  expect(refused.body.checks).toMatchObject({
    database: { ok: true },
    batches: { ok: false, note: expect.stringMatching(/^batch sends has failed for \d+ seconds$/) },
  })
  await outside.query('rollback')
  await until('/ready is 200', async () => (await ready()).status === 200, 20_000)
  isOver = true
  await sending
  expect(new Set(statuses)).toEqual(new Set([500, 202]))
}, 90_000)

test('while a table has no partition of today, which is needed for what comes now, the process is not ready and names the table', async () => {
  const { rows } = await outside.query(
    "select inhrelid::regclass::text as name from pg_inherits where inhparent = 'event'::regclass and inhrelid::regclass::text like $1",
    [`event_${new Date().toISOString().slice(0, 10).replaceAll('-', '')}`],
  )
  const [{ name }] = rows
  const bounds = await outside.query('select pg_get_expr(relpartbound, oid) as words from pg_class where oid = $1::regclass', [name])
  await outside.query(`alter table event detach partition ${name}`)
  const refused = await refusedReady(10_000)
  expect(refused.body.checks.partitions).toEqual({ ok: false, note: 'none for now: event' })
  await outside.query(`alter table event attach partition ${name} ${bounds.rows[0].words}`)
  await until('/ready is 200', async () => (await ready()).status === 200, 10_000)
}, 60_000)
