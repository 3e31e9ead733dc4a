import { afterAll, beforeAll, expect, test } from 'vitest'
import { modeHeader } from '../../src/platform/http/console-admission.ts'
import type { TestAccount } from '../support/accounts.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { sql } from '../support/stage.ts'
import { type MemberCall, memberOf } from '../support/team.ts'
import { nobodys, textTo } from '../support/texts.ts'

let gateway: TestGateway
let account: TestAccount
let call: MemberCall
let ofOther: MemberCall

beforeAll(async () => {
  gateway = await startTestGateway()
  account = await gateway.account()
  call = await memberOf(gateway, account)
  ofOther = await memberOf(gateway, await gateway.account())
})
afterAll(() => gateway.close())

const id = '019ac8f0-a1b2-7c3d-8e4f-5a6b7c8d9e01'
const shownId = `alr_${id.replaceAll('-', '')}`

/** An alert as the task opens it, and what it would go on finding. */
async function open() {
  await sql(
    gateway.deps.database,
    `insert into alert (account_id, id, kind, subject, opened_at, held_at) values ($1, $2, 'channel_quality_low', $3, now(), now())`,
    [account.uuid, id, account.channel.id],
  )
  await sql(gateway.deps.database, `update channel set quality = 'RED' where id = $1`, [account.channel.uuid])
}

test('the overview: today’s figures, the queue, the numbers, what fails and what is open', async () => {
  const events = await gateway.events(account)
  const person = gateway.newPerson()
  await gateway.letWrite(account, person)
  const sent = await gateway.call('POST', '/v1/messages', { key: account.live, body: textTo(person) })
  await events.of(sent.body.id, 'message.read')
  const ofTeam = await call('POST', '/messages', { body: textTo(person) })
  await events.of(ofTeam.body.id, 'message.read')
  const { status, body } = await call('GET', '/overview')
  // rule: usage 8
  const nothing = { total: 0, queued: 0, sent: 0, delivered: 0, read: 0, failed: 0 }
  expect(body.today.sent_by_team).toEqual({ ...nothing, total: 1, read: 1 })
  const sources = async (query: Record<string, string>) =>
    (await call('GET', '/messages', { query })).body.data.map(({ source }: { source: string }) => source)
  expect(await sources({ source: 'chat', direction: 'outbound' })).toEqual(['chat'])
  expect(await sources({ source: 'api' })).toEqual(['api'])
  expect((await gateway.call('GET', '/v1/messages', { key: account.live, query: { source: 'chat' } })).status).toBe(400)
  const month = await call('GET', '/usage/team', { query: { month: body.today.day.slice(0, 7) } })
  expect(month.body).toMatchObject({ object: 'team_usage', counted: 1, sent: { ...nothing, total: 1, read: 1 }, top_errors: [] })
  expect((await call('GET', '/usage')).body).toMatchObject({ counted: 1, sent: { ...nothing, total: 1, read: 1 } })
  expect([status, body.today.sent, body.today.received]).toEqual([
    200,
    { total: 1, queued: 0, sent: 0, delivered: 0, read: 1, failed: 0 },
    1,
  ])
  expect(body.queue).toEqual({ waiting: 0, oldest_at: null })
  expect(body.channels).toEqual((await call('GET', '/channels/details')).body.data)
  expect([body.failing_webhooks, body.open_alerts]).toEqual([[], []])
  await sql(gateway.deps.database, 'update webhook_lane set failing_since = now() where account_id = $1', [account.uuid])
  expect((await call('GET', '/overview', { headers: { [modeHeader]: 'test' } })).body.failing_webhooks).toMatchObject([
    { id: events.webhookId },
  ])
  expect((await call('GET', '/usage/months')).body.data).toEqual([body.today.day.slice(0, 7)])
})

test('an alert is listed, shown in the overview, and not shown there once it is dismissed', async () => {
  await open()
  const { body } = await call('GET', '/alerts')
  expect(body.data).toMatchObject([
    {
      ...{ id: shownId, object: 'alert', kind: 'channel_quality_low', subject: { type: 'channel', id: account.channel.id } },
      ...{ closed_at: null, dismissed_at: null, mailed_at: null },
    },
  ])
  expect((await call('GET', '/overview')).body.open_alerts).toEqual(body.data)
  const dismissed = await call('POST', `/alerts/${shownId}/dismiss`)
  expect([dismissed.status, typeof dismissed.body.dismissed_at]).toEqual([200, 'string'])
  expect((await call('POST', `/alerts/${shownId}/dismiss`)).body.dismissed_at).toBe(dismissed.body.dismissed_at)
  expect((await call('GET', '/overview')).body.open_alerts).toEqual([])
  expect((await call('GET', '/alerts')).body.data).toHaveLength(1)
})

test('nothing of another account is there', async () => {
  expect((await ofOther('GET', '/alerts')).body.data).toEqual([])
  expect((await ofOther('POST', `/alerts/${shownId}/dismiss`)).status).toBe(404)
  expect((await call('POST', `/alerts/${nobodys('alr')}/dismiss`)).status).toBe(404)
  expect((await ofOther('GET', '/usage/months')).body.data).toEqual([])
  const { body, text } = await ofOther('GET', '/overview')
  expect([body.today.sent.total, body.today.received, body.failing_webhooks, body.open_alerts]).toEqual([0, 0, [], []])
  expect(text).not.toContain(account.channel.id)
})

test('a role that may not see alerts has the overview without them; 403 for the rest', async () => {
  const agent = await memberOf(gateway, account, 'agent')
  await sql(gateway.deps.database, 'update alert set dismissed_at = null where id = $1', [id])
  expect((await agent('GET', '/overview')).body.open_alerts).toEqual([])
  expect((await call('GET', '/overview')).body.open_alerts).toHaveLength(1)
  expect((await agent('GET', '/alerts')).status).toBe(403)
  expect((await agent('POST', `/alerts/${shownId}/dismiss`)).status).toBe(403)
})
