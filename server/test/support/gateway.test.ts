import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestGateway, type TestGateway } from './gateway.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.close())

test('a text sent in an open window is told as sent, delivered and read, each with a valid signature', async () => {
  const account = await gateway.account()
  const events = await gateway.events(account)
  const person = gateway.newPerson()
  await gateway.letWrite(account, person)
  const sent = await gateway.call('POST', '/v1/messages', {
    key: account.live,
    body: { to: person, type: 'text', text: { body: 'Bom dia!' } },
  })
  expect(sent.status).toBe(202)
  await events.of(sent.body.id, 'message.read')
  expect(events.kindsOf(sent.body.id)).toEqual(['message.sent', 'message.delivered', 'message.read'])
  expect(gateway.routes).toContain('POST /v1/messages')
})
