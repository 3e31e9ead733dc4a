import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LocalReceiver, localReceiver } from '../../src/features/webhooks/local-receiver.ts'
import { modeHeader } from '../../src/platform/http/console-admission.ts'
import type { TestAccount } from '../support/accounts.ts'
import { openWebhook, recordOf } from '../support/deliveries.ts'
import type { TestEvents } from '../support/events.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { type MemberCall, memberOf } from '../support/team.ts'
import { nobodys, textTo } from '../support/texts.ts'

const test_ = { headers: { [modeHeader]: 'test' } }
let gateway: TestGateway
let receiver: LocalReceiver
let account: TestAccount
let events: TestEvents
let call: MemberCall

beforeAll(async () => {
  gateway = await startTestGateway()
  receiver = await localReceiver()
  account = await gateway.account()
  events = await gateway.events(account)
  call = await memberOf(gateway, account)
})
afterAll(async () => {
  await gateway.close()
  await receiver.close()
})

const timelineOf = async (id: string, options = {}) => (await call('GET', `/messages/${id}/timeline`, options)).body

/** As the page shows it: what happened, in order. */
const shown = (entries: readonly Record<string, unknown>[]) =>
  entries.map((each) => [each.kind, each.status ?? each.type ?? each.outcome ?? each.source ?? each.waiting_because].join(' '))

/** The timeline once each event of it was told. */
async function settled(id: string, options = {}) {
  for (let tries = 0; ; tries += 1) {
    const timeline = await timelineOf(id, options)
    if (timeline.webhooks === 'told' || tries > 100) return timeline
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

test('a message that was read: accepted, queued, posted, each status, each event with its delivery', async () => {
  const person = gateway.newPerson()
  await gateway.letWrite(account, person)
  const sent = await call('POST', '/messages', { body: textTo(person) })
  await events.of(sent.body.id, 'message.read')
  const { entries, ...timeline } = await settled(sent.body.id)
  expect(timeline).toEqual({
    ...{ object: 'message_timeline', message_id: sent.body.id, direction: 'outbound', status: 'read', channel_id: account.channel.id },
    ...{ diagnosis: { code: 'read', error_code: null, message: null }, webhooks: 'told' },
  })
  expect(shown(entries).slice(0, 3)).toEqual(['accepted chat', 'queued ', 'upstream_call accepted'])
  expect(shown(entries).slice(3).toSorted()).toEqual([
    ...['event message.delivered', 'event message.read', 'event message.sent'],
    ...['status delivered', 'status read', 'status sent'],
  ])
  expect(entries.map((each: { at: string }) => each.at)).toEqual(entries.map((each: { at: string }) => each.at).toSorted())
  expect(entries[1].until).toBe(entries[2].at)
  const told = entries.find((each: { type?: string }) => each.type === 'message.sent')
  expect(told.deliveries).toMatchObject([
    { webhook_id: events.webhookId, status: 'succeeded', attempts: [{ number: 1, manual: false, status_code: 200, error: null }] },
  ])
})

test.each([
  ['131026', 'not_on_whatsapp', 131026],
  ['131047', 'window_closed', 131047],
  ['000015', 'expired', null],
  ['132001', 'template_problem', 132001],
])('a test message to …%s failed: %s', async (ending, code, errorCode) => {
  const sent = await call('POST', '/messages', { body: textTo(gateway.newPerson(ending)), ...test_ })
  const failed = await events.of(sent.body.id, 'message.failed')
  const timeline = await settled(sent.body.id, test_)
  expect(timeline.diagnosis).toEqual({ code, error_code: errorCode, message: failed.data.error.message })
  expect(timeline.entries.find((each: { status?: string }) => each.status === 'failed').error).toEqual(failed.data.error)
})

test('a received message whose webhook fails says so, with the attempt and when the next one comes', async () => {
  const own = await gateway.account()
  const webhook = await openWebhook(gateway, own, receiver, 503)
  await gateway.letWrite(own, gateway.newPerson())
  const record = await recordOf(gateway, own, webhook.webhookId, (each) => each.attempts.length === 1)
  const ofOwn = await memberOf(gateway, own)
  const { body } = await ofOwn('GET', `/messages/${record.payload.data.id}/timeline`)
  expect([body.diagnosis.code, body.webhooks]).toEqual(['webhook_failing', 'failing'])
  expect(shown(body.entries)).toEqual(['received chat', 'event message.received'])
  expect(body.entries[1].deliveries).toMatchObject([
    {
      id: record.id,
      url: receiver.urlOf(webhook.path),
      status: 'pending',
      next_attempt_at: record.next_attempt_at,
      attempts: [{ status_code: 503 }],
    },
  ])
})

test('404 for the message of another account, of the other mode, and of nobody; 403 without the right', async () => {
  const sent = await call('POST', '/messages', { body: textTo(gateway.newPerson()), ...test_ })
  const path = `/messages/${sent.body.id}/timeline`
  expect((await call('GET', path, test_)).status).toBe(200)
  expect((await call('GET', path)).status).toBe(404)
  expect((await call('GET', `/messages/${nobodys('msg')}/timeline`)).status).toBe(404)
  const ofOther = await memberOf(gateway, await gateway.account({ channels: 0 }))
  expect((await ofOther('GET', path, test_)).status).toBe(404)
})

test('a message is found by the id that the platform gave it, in its own account and mode alone', async () => {
  const person = gateway.newPerson()
  await gateway.letWrite(account, person)
  const sent = await call('POST', '/messages', { body: textTo(person) })
  const { wamid } = (await events.of(sent.body.id, 'message.sent')).data
  const find = (by: MemberCall, options = {}) => by('GET', `/messages/by-wamid?wamid=${encodeURIComponent(wamid)}`, options)
  expect((await find(call)).body).toEqual({ id: sent.body.id })
  expect((await find(call, test_)).status).toBe(404)
  const other = await gateway.account()
  expect((await find(await memberOf(gateway, other))).status).toBe(404)
})
