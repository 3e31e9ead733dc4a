import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type LocalReceiver, localReceiver } from '../../src/features/webhooks/local-receiver.ts'
import { makeKey, type TestAccount } from '../support/accounts.ts'
import { change, deliverOne, openWebhook, recordOf } from '../support/deliveries.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { nobodys } from '../support/texts.ts'

let gateway: TestGateway
let receiver: LocalReceiver
let account: TestAccount
beforeAll(async () => {
  receiver = await localReceiver()
  gateway = await startTestGateway()
  account = await gateway.account()
})
afterAll(async () => {
  await gateway.close()
  await receiver.close()
})

const patch = (id: string, body: unknown, key: string | null = account.live) => gateway.call('PATCH', `/v1/webhooks/${id}`, { key, body })
const url = 'https://example.com/hooks?shop=1'

/** A webhook of an account of its own, as GET shows it. */
async function registered() {
  const own = await gateway.account()
  const { body } = await gateway.call('POST', '/v1/webhooks', {
    key: own.live,
    body: { url, events: ['message.sent'], description: 'the shop' },
  })
  const { secret: _secret, ...webhook } = body
  return { own, webhook, id: body.id as string, read: () => gateway.call('GET', `/v1/webhooks/${body.id}`, { key: own.live }) }
}

describe('200', () => {
  test.each<[what: string, asked: Record<string, unknown>, shown: Record<string, unknown>]>([
    ['the URL', { url: 'https://example.com/other' }, { url: 'https://example.com/other' }],
    ['the events', { events: ['*', 'message.read'] }, { events: ['*', 'message.read'] }],
    ['the state', { enabled: false }, { enabled: false }],
    ['the description', { description: 'the other shop' }, { description: 'the other shop' }],
    ['the description to none', { description: '' }, { description: null }],
    [
      'everything together',
      { url: 'https://example.com/2', events: ['*'], enabled: false, description: 'd' },
      { url: 'https://example.com/2', events: ['*'], enabled: false, description: 'd' },
    ],
  ])('with the changed webhook, without its secret: %s, and nothing else', async (_what, asked, shown) => {
    const { own, webhook, id, read } = await registered()
    const { status, body } = await patch(id, asked, own.live)
    expect([status, body]).toEqual([200, { ...webhook, ...shown }])
    expect((await read()).body).toEqual(body)
  })

  test.each([
    ['an empty object', {}],
    ['an empty body', ''],
    ['no body', undefined],
  ])('and nothing changed, for %s', async (_what, asked) => {
    const { own, webhook, id } = await registered()
    const { status, body } = await patch(id, asked, own.live)
    expect([status, body]).toEqual([200, webhook])
  })

  test.each<[what: string, asked: Record<string, unknown>]>([
    ['30 kinds', { events: Array.from({ length: 30 }, () => 'message.sent') }],
    ['a URL of 2048 characters', { url: `https://example.com/${'p'.repeat(2028)}` }],
    ['a description of 200 characters', { description: 'd'.repeat(200) }],
    ['a host that does not resolve now', { url: 'https://not-there-yet.example/hook' }],
    ['the state that it has', { enabled: true }],
  ])('for %s', async (_what, asked) => {
    const { own, id } = await registered()
    const { status, body } = await patch(id, asked, own.live)
    expect([status, body]).toMatchObject([200, asked])
  })
})

describe('400 invalid_request names', () => {
  test.each<[field: string, when: string, body: object]>([
    ['url', 'is empty', { url: '' }],
    ['url', 'is null', { url: null }],
    ['url', 'is no URL', { url: 'example.com/hook' }],
    ['url', 'is of another scheme', { url: 'ftp://example.com/hook' }],
    ['url', 'is longer than 2048 characters', { url: `https://example.com/${'p'.repeat(2029)}` }],
    ['url', 'holds a NUL', { url: 'https://example.com/\0' }],
    ['events', 'is empty', { events: [] }],
    ['events', 'is null', { events: null }],
    ['events', 'has 31 items', { events: Array.from({ length: 31 }, () => 'message.sent') }],
    ['events[1]', 'is an unknown kind', { events: ['message.sent', 'message.eaten'] }],
    ['enabled', 'is a text', { enabled: 'false' }],
    ['enabled', 'is null', { enabled: null }],
    ['enabled', 'is a number', { enabled: 0 }],
    ['description', 'has 201 characters', { description: 'd'.repeat(201) }],
    ['description', 'is null', { description: null }],
    ['secret', 'is given', { secret: 'whsec_mine' }],
    ['id', 'is given', { id: nobodys('whk') }],
  ])('%s when it %s, and changes nothing', async (field, _when, body) => {
    const { own, webhook, id, read } = await registered()
    const answer = await patch(id, body, own.live)
    expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_request'])
    expect(answer.body.error.details.map((each: { field: string }) => each.field)).toEqual([field])
    expect((await read()).body).toEqual(webhook)
  })

  test('url for the gateway itself, also beside other changes, of which none is made', async () => {
    const { own, webhook, id, read } = await registered()
    const { status, body } = await patch(id, { url: `${gateway.url}/upstream/notices`, enabled: false }, own.live)
    expect([status, body.error.details[0].field]).toEqual([400, 'url'])
    expect((await read()).body).toEqual(webhook)
  })

  test.each([
    ['malformed JSON', '{"url":'],
    ['a list', []],
    ['a text', '"x"'],
  ])('nothing, for %s', async (_what, body) => {
    const answer = await patch(nobodys('whk'), body)
    expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_request'])
  })
})

test('401 without a key, 403 for a test key and for a key without webhooks:write', async () => {
  const key = await makeKey(gateway.deps, account.uuid, { livemode: true, scopes: ['messages:send'] })
  const answers = await Promise.all([null, account.test, key.secret].map((each) => patch(nobodys('whk'), { enabled: false }, each)))
  expect(answers.map((each) => each.body.error.code)).toEqual(['unauthorized', 'forbidden', 'forbidden'])
})

test.each([{}, { enabled: false }])(
  '404 not_found for what nobody has and for another account’s webhook, which stays as it is: %j',
  async (body) => {
    const { id, webhook, read } = await registered()
    for (const each of [nobodys('whk'), 'x', nobodys('msg'), id]) {
      const answer = await patch(each, body)
      expect([each, answer.status, answer.body.error.code]).toEqual([each, 404, 'not_found'])
    }
    expect((await read()).body).toEqual(webhook)
  },
)

// rule: delivery 14
describe('from then on', () => {
  test('it is told of the kinds that it asks for now', async () => {
    const own = await gateway.account()
    const events = await gateway.events(own, ['message.sent'])
    await gateway.letWrite(own, gateway.newPerson())
    await patch(events.webhookId, { events: ['message.received'] }, own.live)
    const wamid = await gateway.letWrite(own, gateway.newPerson())
    await events.until((event) => event.data.wamid === wamid)
    expect(events.all).toHaveLength(1)
  })

  test('while disabled nothing is recorded for it and nothing posted; enabled again it goes on with what was pending', async () => {
    const own = await gateway.account()
    const made = await deliverOne(gateway, own, receiver, 500)
    const witness = await gateway.events(own)
    await patch(made.webhookId, { enabled: false }, own.live)
    receiver.answer(made.path, 200)
    // Due, as it would be a minute later.
    await change(gateway, "update delivery set next_at = now() - interval '1 second' where id = $1", made.deliveryId)
    await change(gateway, "update webhook_lane set earliest_due = now() - interval '1 second' where webhook_id = $1", made.webhookId)
    const missed = await gateway.letWrite(own, gateway.newPerson())
    await witness.until((event) => event.data.wamid === missed)
    expect(receiver.of(made.path)).toHaveLength(1)

    await patch(made.webhookId, { enabled: true }, own.live)
    const record = await recordOf(gateway, own, made.webhookId, (each) => each.status === 'succeeded')
    expect([record.id, record.attempts.map((each: { status_code: number }) => each.status_code)]).toEqual([made.deliveryId, [500, 200]])
    const told = await gateway.letWrite(own, gateway.newPerson())
    await recordOf(gateway, own, made.webhookId, (each) => each.payload.data.wamid === told && each.status === 'succeeded')
    expect(receiver.of(made.path).map(({ body }) => JSON.parse(body.toString()).data.wamid)).not.toContain(missed)
  })

  test('what is pending goes to the new address', async () => {
    const own = await gateway.account()
    const made = await deliverOne(gateway, own, receiver, 500)
    const other = await openWebhook(gateway, await gateway.account(), receiver)
    await patch(made.webhookId, { url: receiver.urlOf(other.path) }, own.live)
    await gateway.call('POST', `/v1/webhooks/${made.webhookId}/deliveries/${made.deliveryId}/retry`, { key: own.live })
    const record = await recordOf(gateway, own, made.webhookId, (each) => each.status === 'succeeded')
    expect([record.id, receiver.of(other.path).length, receiver.of(made.path).length]).toEqual([made.deliveryId, 1, 1])
  })
})
