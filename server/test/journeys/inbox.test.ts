import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { memberOf } from '../support/team.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.close())

test('what a person writes stands in the inbox a moment later, is answered, and the answer opens nobody else’s', async () => {
  const account = await gateway.account()
  const call = await memberOf(gateway, account)
  const person = gateway.newPerson()
  await gateway.letWrite(account, person, { text: 'Vocês entregam hoje?', name: 'Maria' })
  await expect
    .poll(async () => (await call('GET', '/conversations')).body.data, { timeout: 10_000 })
    .toMatchObject([
      { unread: 1, state: 'open', contact: { phone: person, name: 'Maria' }, last_message: { text: 'Vocês entregam hoje?' } },
    ])
  const [{ id }] = (await call('GET', '/conversations')).body.data
  expect((await call('POST', `/conversations/${id}/read`)).body).toEqual({ unread: 0, told: true })
  const sent = await call('POST', '/messages', { body: { to: person, type: 'text', text: { body: 'Sim!' } } })
  expect(sent.status).toBe(202)
  await expect
    .poll(async () => (await call('GET', `/conversations/${id}/messages`)).body.data[0], { timeout: 10_000 })
    .toMatchObject({ id: sent.body.id, status: 'read', source: 'chat' })
  await expect.poll(async () => (await call('GET', '/search?q=entregam')).body.messages.length, { timeout: 10_000 }).toBe(1)
  const other = await gateway.account()
  expect((await (await memberOf(gateway, other))('GET', '/conversations?state=all')).body.data).toEqual([])
})
