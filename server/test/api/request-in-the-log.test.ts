import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.close())

test('the line of an upstream call names the call that asked for its message, for live and test keys', async () => {
  const account = await gateway.account()
  const to = gateway.newPerson()
  await gateway.letWrite(account, to)
  for (const key of [account.live, account.test]) {
    const { headers, body } = await gateway.call('POST', '/v1/messages', { key, body: { to, type: 'text', text: { body: 'Olá!' } } })
    const line = await gateway.observations.until((each) => each.kind === 'send.finished' && each.messageId === body.id)
    expect(line).toMatchObject({ requestId: headers['request-id'] })
    expect(JSON.stringify(line)).not.toContain(to)
  }
})
