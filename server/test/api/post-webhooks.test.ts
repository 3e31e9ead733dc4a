import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeKey, type TestAccount } from '../support/accounts.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { ids, moment, textTo } from '../support/texts.ts'

let gateway: TestGateway
let account: TestAccount
beforeAll(async () => {
  gateway = await startTestGateway()
  account = await gateway.account()
})
afterAll(() => gateway.close())

const url = 'https://example.com/hooks?shop=1'
const register = (body: unknown, key: string | null = account.live) => gateway.call('POST', '/v1/webhooks', { key, body })

describe('201', () => {
  test('with the whole webhook and its secret, once', async () => {
    const events = ['message.received', 'message.failed']
    const { status, body } = await register({ url, events, description: 'the shop' })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.stringMatching(ids.whk),
      object: 'webhook',
      url,
      events,
      enabled: true,
      description: 'the shop',
      created_at: expect.stringMatching(moment),
      secret: expect.stringMatching(/^whsec_.{32,}$/),
    })
    const again = await gateway.call('GET', `/v1/webhooks/${body.id}`, { key: account.live })
    expect(again.body).toEqual(Object.fromEntries(Object.entries(body).filter(([name]) => name !== 'secret')))
    const [kept] = await gateway.deps.database.all<{ secret: Buffer }>({
      compile: () => ({ sql: 'select secret from webhook where id = $1', parameters: [body.id.slice(4)] }) as never,
    })
    expect(kept?.secret.includes(body.secret)).toBe(false)
  })

  test.each<[what: string, more: object]>([
    [
      'every kind by its name',
      { events: ['message.sent', 'template.status_updated', 'channel.updated', 'contact.marketing_preference_updated'] },
    ],
    ['the same kind twice', { events: ['message.sent', 'message.sent'] }],
    ['a star', { events: ['*'] }],
    ['30 kinds', { events: Array.from({ length: 30 }, () => 'message.sent') }],
    ['a URL of 2048 characters', { url: `https://example.com/${'p'.repeat(2028)}` }],
    ['a description of 200 characters', { description: 'd'.repeat(200) }],
    ['a host that does not resolve now', { url: 'https://not-there-yet.example/hook' }],
  ])('for %s', async (_what, more) => {
    const own = await gateway.account()
    expect((await register({ url, events: ['*'], ...more }, own.live)).status).toBe(201)
  })

  test('an empty description, and none, are null', async () => {
    const own = await gateway.account()
    expect((await register({ url, events: ['*'], description: '' }, own.live)).body.description).toBeNull()
    expect((await register({ url, events: ['*'] }, own.live)).body.description).toBeNull()
  })

  test('two webhooks have two secrets', async () => {
    const own = await gateway.account()
    const secrets = [await register({ url, events: ['*'] }, own.live), await register({ url, events: ['*'] }, own.live)].map(
      (each) => each.body.secret,
    )
    expect(new Set(secrets).size).toBe(2)
  })
})

describe('400 invalid_request names', () => {
  const good = { url, events: ['*'] }
  test.each<[field: string, when: string, body: object]>([
    ['url', 'is missing', { events: ['*'] }],
    ['url', 'is empty', { ...good, url: '' }],
    ['url', 'is null', { ...good, url: null }],
    ['url', 'is a number', { ...good, url: 1 }],
    ['url', 'is no URL', { ...good, url: 'example.com/hook' }],
    ['url', 'is of another scheme', { ...good, url: 'ftp://example.com/hook' }],
    ['url', 'is a script', { ...good, url: 'javascript:alert(1)' }],
    ['url', 'is longer than 2048 characters', { ...good, url: `https://example.com/${'p'.repeat(2029)}` }],
    ['url', 'holds a NUL', { ...good, url: 'https://example.com/\0' }],
    ['events', 'is missing', { url }],
    ['events', 'is empty', { ...good, events: [] }],
    ['events', 'has 31 items', { ...good, events: Array.from({ length: 31 }, () => 'message.sent') }],
    ['events', 'is a text', { ...good, events: '*' }],
    ['events[1]', 'is an unknown kind', { ...good, events: ['message.sent', 'message.eaten'] }],
    ['events[0]', 'is a number', { ...good, events: [1] }],
    ['description', 'has 201 characters', { ...good, description: 'd'.repeat(201) }],
    ['description', 'is a number', { ...good, description: 7 }],
    ['description', 'holds half a surrogate pair', { ...good, description: '\ud83d' }],
    ['enabled', 'is given', { ...good, enabled: true }],
    ['secret', 'is given', { ...good, secret: 'whsec_mine' }],
    ['colour', 'is given', { ...good, colour: 'red' }],
  ])('%s when it %s', async (field, _when, body) => {
    const answer = await register(body)
    expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_request'])
    expect(answer.body.error.details.map((each: { field: string }) => each.field)).toEqual([field])
  })

  test.each<[what: string, body: unknown]>([
    ['malformed JSON', '{"url":'],
    ['no body', undefined],
    ['a list', []],
    ['a body of 300 KB', { ...good, description: 'd'.repeat(300 * 1024) }],
  ])('nothing, for %s', async (_what, body) => {
    const answer = await register(body)
    expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_request'])
  })
})

test('401 unauthorized without a key', async () => {
  const answer = await register({ url, events: ['*'] }, null)
  expect([answer.status, answer.body.error.code]).toEqual([401, 'unauthorized'])
})

test('403 forbidden for a test key, and for a key without webhooks:write', async () => {
  const key = await makeKey(gateway.deps, account.uuid, { livemode: true, scopes: ['messages:send'] })
  const byTestKey = await register({ url, events: ['*'] }, account.test)
  const scopeless = await register({ url, events: ['*'] }, key.secret)
  expect([byTestKey.body.error.code, scopeless.body.error.code]).toEqual(['forbidden', 'forbidden'])
  expect(scopeless.body.error.message).toContain('webhooks:write')
})

test('409 conflict for the eleventh webhook, also when all come at once; a deleted one makes room', async () => {
  const own = await gateway.account()
  const answers = await Promise.all(Array.from({ length: 15 }, () => register({ url, events: ['*'] }, own.live)))
  expect(answers.filter((each) => each.status === 201)).toHaveLength(10)
  expect(answers.filter((each) => each.body.error?.code === 'conflict')).toHaveLength(5)
  const made = answers.find((each) => each.status === 201)
  await gateway.call('DELETE', `/v1/webhooks/${made?.body.id}`, { key: own.live })
  expect((await register({ url, events: ['*'] }, own.live)).status).toBe(201)
})

describe('from then on', () => {
  test('it is told of the kinds that it asked for, of live and test mode, and of nothing before', async () => {
    const own = await gateway.account()
    await gateway.letWrite(own, gateway.newPerson())
    const all = await gateway.events(own)
    const some = await gateway.events(own, ['message.delivered', 'message.received'])
    const person = gateway.newPerson()
    await gateway.letWrite(own, person)
    const live = await gateway.call('POST', '/v1/messages', { key: own.live, body: textTo(person) })
    const test = await gateway.call('POST', '/v1/messages', { key: own.test, body: textTo(person) })
    for (const { body } of [live, test]) {
      await all.of(body.id, 'message.read')
      await some.of(body.id, 'message.delivered')
      expect(some.kindsOf(body.id)).toEqual(['message.delivered'])
    }
    expect(all.all.filter((event) => event.type === 'message.received')).toHaveLength(1)
    expect(all.all.filter((event) => !event.livemode).map((event) => event.data.id)).toEqual([test.body.id, test.body.id, test.body.id])
  })

  test('one event is one id at every webhook, and another account hears nothing', async () => {
    const own = await gateway.account()
    const other = await gateway.events(await gateway.account())
    const [one, two] = [await gateway.events(own), await gateway.events(own)]
    const person = gateway.newPerson()
    const wamid = await gateway.letWrite(own, person)
    const told = [one, two].map((events) => events.until((event) => event.data.wamid === wamid))
    const [first, second] = await Promise.all(told)
    expect(first?.raw).toBe(second?.raw)
    expect(one.secret).not.toBe(two.secret)
    expect(other.all).toEqual([])
  })
})

// rule: delivery 8
test('400 invalid_request names url for the gateway itself, also where private addresses are allowed', async () => {
  const { status, body } = await register({ url: `${gateway.url}/upstream/notices`, events: ['*'] })
  expect([status, body.error.details[0].field]).toEqual([400, 'url'])
})

test('a name of the gateway itself is never posted to: the attempt fails without an answer', async () => {
  const own = await gateway.account()
  const { port } = new URL(gateway.url)
  const { status, body } = await register({ url: `http://localhost:${port}/upstream/notices`, events: ['*'] }, own.live)
  expect(status).toBe(201)
  await gateway.letWrite(own, gateway.newPerson())
  const attempt = await gateway.observations.until(
    (each) => each.kind === 'webhook.attempt' && `whk_${String(each.webhookId).replaceAll('-', '')}`.endsWith(body.id.slice(4)),
  )
  expect(attempt).toMatchObject({ statusCode: null, outcome: 'pending', attempt: 1 })
  expect(gateway.observations.all.filter((each) => each.kind === 'notices.wrong_signature')).toEqual([])
})
