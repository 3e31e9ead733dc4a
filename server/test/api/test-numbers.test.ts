// rule: test 1 to 3
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestAccount } from '../support/accounts.ts'
import type { TestEvents } from '../support/events.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { textTo } from '../support/texts.ts'

let gateway: TestGateway
let account: TestAccount
let events: TestEvents
beforeAll(async () => {
  gateway = await startTestGateway()
  account = await gateway.account()
  events = await gateway.events(account)
})
afterAll(() => gateway.close())

const send = (to: string) =>
  gateway.call('POST', '/v1/messages', { key: account.test, body: textTo(to, 'a test', { client_reference: 'test-ref' }) })
const get = async (id: string) => (await gateway.call('GET', `/v1/messages/${id}`, { key: account.test })).body
/** The kinds told of it once nothing more can come. */
const courseOf = async (id: string, last: string) => {
  await events.of(id, last)
  await gateway.noticesWorked()
  return events.kindsOf(id)
}

test('any number: sent, delivered, read, in this order, with livemode false', async () => {
  const { body } = await send(gateway.newPerson())
  expect(await courseOf(body.id, 'message.read')).toEqual(['message.sent', 'message.delivered', 'message.read'])
  const told = events.all.filter((event) => event.data.id === body.id)
  expect(told.map((event) => event.livemode)).toEqual([false, false, false])
  expect(told.map((event) => event.data.client_reference)).toEqual(['test-ref', 'test-ref', 'test-ref'])
  expect(await get(body.id)).toMatchObject({ status: 'read', wamid: expect.stringMatching(/^wamid\./), error: null })
})

test('…000001 stays sent', async () => {
  const { body } = await send(gateway.newPerson('000001'))
  expect(await courseOf(body.id, 'message.sent')).toEqual(['message.sent'])
  expect(await get(body.id)).toMatchObject({ status: 'sent', delivered_at: null, read_at: null })
})

test('…000002 stays delivered', async () => {
  const { body } = await send(gateway.newPerson('000002'))
  expect(await courseOf(body.id, 'message.delivered')).toEqual(['message.sent', 'message.delivered'])
  expect(await get(body.id)).toMatchObject({ status: 'delivered', read_at: null })
})

test('…000003 is read, and the person answers: a received message of the test mode', async () => {
  const person = gateway.newPerson('000003')
  const { body } = await send(person)
  const answer = await events.until((event) => event.type === 'message.received' && event.data.contact.phone === person)
  expect(answer).toMatchObject({ livemode: false, data: { direction: 'inbound', status: 'received', type: 'text', source: 'chat' } })
  expect(await courseOf(body.id, 'message.read')).toEqual(['message.sent', 'message.delivered', 'message.read'])
  expect((await get(answer.data.id)).text).toBe(answer.data.text)
  expect((await gateway.call('GET', `/v1/messages/${answer.data.id}`, { key: account.live })).status).toBe(404)
})

test('…000004 comes out of order: delivered before sent, and read at the end', async () => {
  const { body } = await send(gateway.newPerson('000004'))
  await events.of(body.id, 'message.sent')
  expect(await courseOf(body.id, 'message.read')).toEqual(['message.delivered', 'message.sent', 'message.read'])
  expect(await get(body.id)).toMatchObject({ status: 'read', sent_at: expect.any(String), delivered_at: expect.any(String) })
})

test('…000005 is refused at once with outside_customer_service_window', async () => {
  const { status, body } = await send(gateway.newPerson('000005'))
  expect([status, body.error.code]).toEqual([422, 'outside_customer_service_window'])
})

// rule: states 6
test('…000015 waits its 15 minutes out at once: failed without a code, and not sent', async () => {
  const { status, body } = await send(gateway.newPerson('000015'))
  expect([status, body.status]).toEqual([202, 'queued'])
  expect(await courseOf(body.id, 'message.failed')).toEqual(['message.failed'])
  const failed = await get(body.id)
  expect(failed).toMatchObject({ status: 'failed', wamid: null, sent_at: null, error: { code: null } })
  expect(failed.error.message).toMatch(/15 minutes.*not sent/)
})

test.each([131026, 131047, 131049, 131050, 131053, 130472, 132015])(
  '…%i fails by notice: sent, then failed with the code',
  async (code) => {
    const { body } = await send(gateway.newPerson(String(code)))
    expect(await courseOf(body.id, 'message.failed')).toEqual(['message.sent', 'message.failed'])
    expect(await get(body.id)).toMatchObject({
      status: 'failed',
      error: { code, message: expect.any(String) },
      sent_at: expect.any(String),
    })
  },
)

test.each([131030, 131008, 132000, 132001, 133010])('…%i fails in the answer: failed with the code, never sent', async (code) => {
  const { body } = await send(gateway.newPerson(String(code)))
  expect(await courseOf(body.id, 'message.failed')).toEqual(['message.failed'])
  expect(await get(body.id)).toMatchObject({ status: 'failed', error: { code }, sent_at: null, wamid: null })
})

test('an ending that is no code of upstream means nothing', async () => {
  const { body } = await send(gateway.newPerson('999999'))
  expect(await courseOf(body.id, 'message.read')).toEqual(['message.sent', 'message.delivered', 'message.read'])
})

test('nothing of the test mode ever reached upstream', () => {
  expect(gateway.simulator.sends).toEqual([])
})
