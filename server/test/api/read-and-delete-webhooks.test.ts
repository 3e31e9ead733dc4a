import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeKey, type TestAccount } from '../support/accounts.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { nobodys } from '../support/texts.ts'

let gateway: TestGateway
let account: TestAccount
beforeAll(async () => {
  gateway = await startTestGateway()
  account = await gateway.account()
})
afterAll(() => gateway.close())

const path = '/v1/webhooks'
const call = (method: 'GET' | 'DELETE', part: string, key: string | null = account.live, query = {}) =>
  gateway.call(method, `${path}${part}`, { key, query })
const register = async (of: TestAccount, description: string): Promise<{ id: string }> => {
  const body = { url: 'https://example.com/hook', events: ['*'], description }
  const { secret: _secret, ...rest } = (await gateway.call('POST', path, { key: of.live, body })).body
  return rest
}

test('GET /webhooks: 200 with all of the account, newest first, without secrets', async () => {
  const own = await gateway.account()
  expect((await call('GET', '', own.live)).body).toEqual({ object: 'list', data: [], has_more: false })
  const made = [await register(own, 'first'), await register(own, 'second'), await register(own, 'third')]
  await register(account, 'of somebody else')
  const { status, body, text } = await call('GET', '', own.live)
  expect([status, body]).toEqual([200, { object: 'list', data: made.toReversed(), has_more: false }])
  expect(text).not.toContain('whsec_')
})

test.each(['limit', 'starting_after', 'colour'])(
  'GET /webhooks: 400 invalid_request for the query %s, which it does not have',
  async (name) => {
    const { status, body } = await call('GET', '', account.live, { [name]: '5' })
    expect([status, body.error.code, body.error.details[0].field]).toEqual([400, 'invalid_request', name])
  },
)

test('GET /webhooks/{id}: 200 with the webhook, without its secret', async () => {
  const made = await register(account, 'the one')
  const { status, body, text } = await call('GET', `/${made.id}`)
  expect([status, body]).toEqual([200, made])
  expect(text).not.toContain('whsec_')
})

test('DELETE /webhooks/{id}: 200, and it is gone; a second time 404', async () => {
  const own = await gateway.account()
  const [gone, stays] = [await register(own, 'gone'), await register(own, 'stays')]
  const { status, body } = await call('DELETE', `/${gone.id}`, own.live)
  expect([status, body]).toEqual([200, { deleted: true, id: gone.id }])
  expect((await call('GET', `/${gone.id}`, own.live)).status).toBe(404)
  expect((await call('DELETE', `/${gone.id}`, own.live)).status).toBe(404)
  expect((await call('GET', '', own.live)).body.data).toEqual([stays])
})

test('DELETE /webhooks/{id}: nothing is told to it any more', async () => {
  const own = await gateway.account()
  const [gone, stays] = [await gateway.events(own), await gateway.events(own)]
  await call('DELETE', `/${gone.webhookId}`, own.live)
  const wamid = await gateway.letWrite(own, gateway.newPerson())
  await stays.until((event) => event.data.wamid === wamid)
  expect(gone.all).toEqual([])
})

test('DELETE /webhooks/{id}: an empty JSON body is no body, a body with a field is 400', async () => {
  const own = await gateway.account()
  const made = await register(own, 'x')
  const withField = await gateway.call('DELETE', `${path}/${made.id}`, { key: own.live, body: { force: true } })
  expect([withField.status, withField.body.error.details[0].field]).toEqual([400, 'force'])
  expect((await gateway.call('DELETE', `${path}/${made.id}`, { key: own.live, body: '' })).status).toBe(200)
})

for (const method of ['GET', 'DELETE'] as const) {
  const name = `${method} /webhooks/{id}`
  test.each([nobodys('whk'), 'whk_1', 'x', nobodys('msg'), `${nobodys('whk')}0`])(`${name}: 404 not_found for the id %s`, async (id) => {
    const { status, body } = await call(method, `/${id}`)
    expect([status, body.error.code]).toEqual([404, 'not_found'])
  })

  test(`${name}: 404 not_found for another account’s webhook, in the very words of an id that nobody has`, async () => {
    const other = await gateway.account()
    const theirs = await register(other, 'of the other account')
    const [hidden, nobody] = [await call(method, `/${theirs.id}`), await call(method, `/${nobodys('whk')}`)]
    expect(hidden.status).toBe(404)
    expect({ ...hidden.body.error, request_id: '' }).toEqual({ ...nobody.body.error, request_id: '' })
    expect((await call('GET', `/${theirs.id}`, other.live)).status).toBe(200)
  })

  test(`${name}: 400 invalid_request for a query that it does not have`, async () => {
    const made = await register(account, 'x')
    const { status, body } = await call(method, `/${made.id}`, account.live, { force: 'true' })
    expect([status, body.error.details[0].field]).toEqual([400, 'force'])
    await call('DELETE', `/${made.id}`)
  })
}

test.each([
  ['GET', ''],
  ['GET', `/${nobodys('whk')}`],
  ['DELETE', `/${nobodys('whk')}`],
] as const)('%s /webhooks%s: 401 without a key, 403 for a test key and for a key without webhooks:write', async (method, part) => {
  const key = await makeKey(gateway.deps, account.uuid, { livemode: true, scopes: ['messages:send', 'messages:read'] })
  expect((await call(method, part, null)).body.error.code).toBe('unauthorized')
  expect((await call(method, part, account.test)).body.error.code).toBe('forbidden')
  expect((await call(method, part, key.secret)).body.error.code).toBe('forbidden')
})
