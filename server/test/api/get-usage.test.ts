import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { setPlan } from '../../src/features/accounts/public.ts'
import { makeKey, type TestAccount } from '../support/accounts.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { movableClock } from '../support/movable-clock.ts'
import { textTo } from '../support/texts.ts'
import { findUsageDifferences } from '../support/usage-differences.ts'

// The last hours of March in Brasília, and an hour of April there. In UTC both are in April.
const lastOfMarch = '2027-04-01T01:00:00Z'
const firstOfApril = '2027-04-01T04:00:00Z'

const clock = movableClock(lastOfMarch)
let gateway: TestGateway
let account: TestAccount
beforeAll(async () => {
  // What becomes of a send is told here, by the clock of the test.
  gateway = await startTestGateway({ clock, simulator: { statusDrop: ['sent', 'delivered', 'read', 'failed'] } })
})
afterAll(() => gateway.close())
beforeEach(async () => {
  clock.moveTo(lastOfMarch)
  account = await gateway.account()
})

const get = (query: Record<string, string> = {}, key: string | null = account.live) => gateway.call('GET', '/v1/usage', { key, query })
const usageOf = async (month: string) => (await get({ month })).body
const seconds = () => String(Math.floor(clock.now().getTime() / 1_000))

/** Someone who has just written, so that anything may be sent. */
const openPerson = async (ending?: string): Promise<string> => {
  const person = gateway.newPerson(ending)
  await gateway.letWrite(account, person, { timestamp: seconds() })
  return person
}
/** Sends a text and waits until what upstream answered is recorded. */
const send = async (ending?: string): Promise<{ id: string; wamid: string }> => {
  const { status, body } = await gateway.call('POST', '/v1/messages', { key: account.live, body: textTo(await openPerson(ending)) })
  expect(status).toBe(202)
  await gateway.observations.until((each) => each.kind === 'send.finished' && each.messageId === body.id)
  return { id: body.id, wamid: gateway.simulator.accepted.find((each) => each.opaque?.startsWith(`${body.id}.`))?.wamid ?? '' }
}
const tell = async (wamid: string, status: string, more: object = {}) => {
  const statuses = [{ id: wamid, status, timestamp: seconds(), recipient_id: '5511987654321', ...more }]
  const metadata = { display_phone_number: '', phone_number_id: account.channel.phoneNumberId }
  const changes = [{ field: 'messages', value: { messaging_product: 'whatsapp', metadata, statuses } }]
  await gateway.simulator.postNotice({ object: 'whatsapp_business_account', entry: [{ id: account.channel.wabaId, changes }] })
  await gateway.noticesWorked()
}
const failure = (code: number, title: string) => ({ errors: [{ code, title }] })
const bill = (billable: boolean, category: string) => ({ pricing: { billable, category, pricing_model: 'PMP' } })
/** rule: usage 5. The counters say what the messages say. */
const expectNoDifference = async () => expect(await findUsageDifferences(gateway.deps.database, account.uuid)).toEqual([])

const nothing = { total: 0, queued: 0, sent: 0, delivered: 0, read: 0, failed: 0 }

describe('200', () => {
  test('of an account that has done nothing is all zeros, with every day of the month so far', async () => {
    const { status, body } = await get()
    expect([status, body]).toEqual([
      200,
      {
        object: 'usage',
        month: '2027-03',
        franchise: 0,
        counted: 0,
        remaining: 0,
        over_franchise: 0,
        sent: nothing,
        received: 0,
        meta_billable_by_category: {},
        meta_free_by_category: {},
        by_day: Array.from({ length: 31 }, (_each, i) => ({ date: `2027-03-${String(i + 1).padStart(2, '0')}`, counted: 0, failed: 0 })),
        top_errors: [],
      },
    ])
  })

  // rule: usage 2, usage 3, usage 4, usage 5, usage 7
  test('with every figure as the sends of the month stand now', async () => {
    await setPlan(gateway.deps, { name: 'three-sends', franchise: 3 })
    await gateway.deps.database.all({
      compile: () => ({ sql: "update account set plan = 'three-sends' where id = $1", parameters: [account.uuid] }) as never,
    })
    await send()
    const delivered = await send()
    await tell(delivered.wamid, 'sent', bill(true, 'marketing'))
    await tell(delivered.wamid, 'delivered')
    const read = await send()
    await tell(read.wamid, 'read', bill(false, 'service'))
    await tell(read.wamid, 'delivered', bill(false, 'service'))
    const failedLater = await send()
    await tell(failedLater.wamid, 'sent', bill(true, 'marketing'))
    await tell(failedLater.wamid, 'failed', failure(131026, 'Message undeliverable'))
    await send('131030')
    const lifted = await send()
    await tell(lifted.wamid, 'failed', failure(131049, 'Not delivered'))
    await tell(lifted.wamid, 'delivered', bill(true, 'utility'))
    expect(await usageOf('2027-03')).toMatchObject({
      franchise: 3,
      counted: 4,
      remaining: 0,
      over_franchise: 1,
      sent: { total: 6, queued: 0, sent: 1, delivered: 2, read: 1, failed: 2 },
      received: 6,
      meta_billable_by_category: { marketing: 1, utility: 1 },
      meta_free_by_category: { service: 1 },
      top_errors: [
        { code: 131026, message: 'Message undeliverable', count: 1 },
        { code: 131030, message: expect.any(String), count: 1 },
      ],
    })
    expect((await usageOf('2027-03')).by_day.at(-1)).toEqual({ date: '2027-03-31', counted: 4, failed: 2 })
    await expectNoDifference()
  })

  test('counts what waits in the queue as queued and not as counted', async () => {
    const person = await openPerson()
    gateway.simulator.addFaults({ match: { to: person }, fault: { kind: 'slow', delayMs: 3_000 } })
    const { body } = await gateway.call('POST', '/v1/messages', { key: account.live, body: textTo(person) })
    expect(await usageOf('2027-03')).toMatchObject({ counted: 0, sent: { ...nothing, total: 1, queued: 1 } })
    await gateway.observations.until((each) => each.kind === 'send.finished' && each.messageId === body.id)
    expect(await usageOf('2027-03')).toMatchObject({ counted: 1, sent: { ...nothing, total: 1, sent: 1 } })
  })

  // rule: usage 3
  test('counts a send of unknown outcome once a notice settles it', async () => {
    const person = await openPerson()
    gateway.simulator.addFaults({ match: { to: person }, fault: { kind: 'accept-then-reset' } })
    const { body } = await gateway.call('POST', '/v1/messages', { key: account.live, body: textTo(person) })
    await gateway.observations.until((each) => each.kind === 'send.finished' && each.messageId === body.id)
    expect(await usageOf('2027-03')).toMatchObject({ counted: 0, sent: { total: 1, queued: 1 } })
    const taken = gateway.simulator.accepted.find((each) => each.opaque?.startsWith(`${body.id}.`))
    await tell(taken?.wamid ?? '', 'delivered', { biz_opaque_callback_data: taken?.opaque })
    expect(await usageOf('2027-03')).toMatchObject({ counted: 1, sent: { total: 1, queued: 0, delivered: 1 } })
    await expectNoDifference()
  })

  // rule: usage 1, usage 6
  test('puts each figure into the month of its moment: what was sent in March and failed in April', async () => {
    const { wamid } = await send()
    clock.moveTo(firstOfApril)
    await send()
    await tell(wamid, 'failed', failure(131026, 'Message undeliverable'))
    expect(await usageOf('2027-03')).toMatchObject({ counted: 0, received: 1, sent: { ...nothing, total: 1, failed: 1 }, top_errors: [] })
    expect((await usageOf('2027-03')).by_day.at(-1)).toEqual({ date: '2027-03-31', counted: 0, failed: 0 })
    expect((await get()).body).toMatchObject({
      month: '2027-04',
      counted: 1,
      received: 1,
      sent: { ...nothing, total: 1, sent: 1 },
      by_day: [{ date: '2027-04-01', counted: 1, failed: 1 }],
      top_errors: [{ code: 131026, count: 1 }],
    })
    await expectNoDifference()
  })

  // rule: usage 1
  test('leaves out what is sent with test keys', async () => {
    const body = textTo(gateway.newPerson())
    const { body: sent } = await gateway.call('POST', '/v1/messages', { key: account.test, body })
    await gateway.observations.until((each) => each.kind === 'send.finished' && each.messageId === sent.id)
    expect(await usageOf('2027-03')).toMatchObject({ counted: 0, sent: nothing, received: 0 })
  })

  test('counts a send once that is repeated with its Idempotency-Key, and a refused one never', async () => {
    const call = { key: account.live, body: textTo(await openPerson()), headers: { 'idempotency-key': 'once' } }
    for (let i = 0; i < 3; i += 1) expect((await gateway.call('POST', '/v1/messages', call)).status).toBe(202)
    expect((await gateway.call('POST', '/v1/messages', { ...call, body: textTo(gateway.newPerson()), headers: {} })).status).toBe(422)
    expect((await usageOf('2027-03')).sent.total).toBe(1)
  })

  test('counts a message of a person once, however often upstream tells it', async () => {
    for (let i = 0; i < 3; i += 1)
      await gateway.letWrite(account, gateway.newPerson(), { timestamp: seconds(), wamid: `wamid.${account.uuid}` })
    expect((await usageOf('2027-03')).received).toBe(1)
  })

  test('shows nothing of another account', async () => {
    await send()
    const other = await gateway.account()
    expect((await get({ month: '2027-03' }, other.live)).body).toMatchObject({ counted: 0, sent: nothing, received: 0 })
  })

  test('of a month long ago is all zeros', async () => {
    const usage = await usageOf('1000-02')
    expect([usage.sent, usage.by_day.length]).toEqual([nothing, 28])
  })
})

describe('400 invalid_request names month when it', () => {
  test.each(['2027-04', '2028-01', '9999-12'])('has not begun in Brasília: "%s"', async (month) => {
    const { status, body } = await get({ month })
    expect([status, body.error.code, body.error.details[0].field]).toEqual([400, 'invalid_request', 'month'])
  })

  test('and no longer in the first second of the month', async () => {
    clock.moveTo('2027-04-01T02:59:50Z')
    expect((await get({ month: '2027-04' })).status).toBe(400)
    clock.moveTo('2027-04-01T03:00:00Z')
    expect((await get({ month: '2027-04' })).status).toBe(200)
  })

  test.each(['', '2027', '2027-3', '2027-13', '2027-00', '0000-01', '27-03', '2027-03-01', 'march', '2027-03 '])(
    'is "%s"',
    async (month) => {
      const { status, body } = await get({ month })
      expect([status, body.error.code, body.error.details[0].field]).toEqual([400, 'invalid_request', 'month'])
    },
  )
})

test('400 invalid_request names a field that the query does not have', async () => {
  const { status, body } = await get({ year: '2027' })
  expect([status, body.error.details[0].field]).toEqual([400, 'year'])
})

test('401 unauthorized without a key', async () => {
  expect((await get({}, null)).status).toBe(401)
})

describe('403 forbidden', () => {
  test('for a test key', async () => {
    expect((await get({}, account.test)).body.error.code).toBe('forbidden')
  })

  test('for a key without the scope, which is named', async () => {
    const without = await makeKey(gateway.deps, account.uuid, { livemode: true, scopes: ['messages:read'] })
    const { status, body } = await get({}, without.secret)
    expect([status, body.error.code]).toEqual([403, 'forbidden'])
    expect(body.error.message).toContain('usage:read')
    const allowed = await makeKey(gateway.deps, account.uuid, { livemode: true, scopes: ['usage:read'] })
    expect((await get({}, allowed.secret)).status).toBe(200)
  })
})
