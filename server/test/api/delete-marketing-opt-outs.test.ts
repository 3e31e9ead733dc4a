import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeKey, type TestAccount } from '../support/accounts.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'

let gateway: TestGateway
let account: TestAccount
beforeAll(async () => {
  gateway = await startTestGateway()
  account = await gateway.account()
})
afterAll(() => gateway.close())

const path = '/v1/marketing-opt-outs'
const optOut = (phone: string, key = account.live) => gateway.call('POST', path, { key, body: { phone } })
const lift = (part: string, key: string | null = account.live, query = {}) => gateway.call('DELETE', `${path}/${part}`, { key, query })

// rule: opt-outs 1
describe('200', () => {
  test.each<[what: string, part: (phone: string) => string]>([
    ['digits only', (phone) => phone],
    ['with a plus', (phone) => `+${phone}`],
    ['with an encoded plus', (phone) => `%2B${phone}`],
    [
      'with encoded spaces, brackets and a hyphen',
      (phone) => encodeURIComponent(`+55 (${phone.slice(2, 4)}) ${phone.slice(4, 9)}-${phone.slice(9)}`),
    ],
    ['encoded to the last digit', (phone) => [...phone].map((digit) => `%3${digit}`).join('')],
    ['without the ninth digit', (phone) => `${phone.slice(0, 4)}${phone.slice(5)}`],
  ])('with the person’s phone, named %s', async (_what, part) => {
    const phone = gateway.newPerson()
    await optOut(phone)
    const { status, body } = await lift(part(phone))
    expect([status, body]).toEqual([200, { deleted: true, phone }])
    expect((await lift(phone)).status).toBe(404)
    expect((await optOut(phone)).status).toBe(201)
  })

  test('to exactly one of five that come at once', async () => {
    const phone = gateway.newPerson()
    await optOut(phone)
    const answers = await Promise.all(Array.from({ length: 5 }, () => lift(phone)))
    expect(answers.map((each) => each.status).toSorted()).toEqual([200, 404, 404, 404, 404])
  })

  test('and it is gone from the list, where the others stay', async () => {
    const own = await gateway.account()
    const [gone, stays] = [gateway.newPerson(), gateway.newPerson()]
    await optOut(gone, own.live)
    await optOut(stays, own.live)
    await lift(gone, own.live)
    const { body } = await gateway.call('GET', path, { key: own.live })
    expect(body.data.map((each: { phone: string }) => each.phone)).toEqual([stays])
  })

  test('to a test key for its own opt-outs, and the live one stays', async () => {
    const phone = gateway.newPerson()
    await optOut(phone)
    expect((await lift(phone, account.test)).status).toBe(404)
    await optOut(phone, account.test)
    expect((await lift(phone, account.test)).status).toBe(200)
    expect((await lift(phone)).status).toBe(200)
  })
})

describe('404 not_found', () => {
  test('for a person that nobody knows, and for one who has not opted out, in the same words', async () => {
    const known = gateway.newPerson()
    await gateway.letWrite(account, known)
    const answers = [await lift(gateway.newPerson()), await lift(known)]
    expect(answers.map((each) => [each.status, each.body.error.code])).toEqual([
      [404, 'not_found'],
      [404, 'not_found'],
    ])
    expect(answers[0]?.body.error.message).toBe(answers[1]?.body.error.message)
  })

  test('for a person who has opted out at another account, which stays so', async () => {
    const other = await gateway.account()
    const phone = gateway.newPerson()
    await optOut(phone, other.live)
    expect((await lift(phone)).status).toBe(404)
    expect((await optOut(phone, other.live)).status).toBe(200)
  })

  test('for a user id that nobody here is known by', async () => {
    expect((await lift('BR.9f8e7d6c5b4a')).status).toBe(404)
  })
})

test.each(['x', '551198765', '5511987654321234', '0551198765432', '55119876A4321', '%00', '5511987654321%00', 'p:5511987654321'])(
  '400 invalid_request names phone for %s',
  async (part) => {
    const { status, body } = await lift(part)
    expect([status, body.error.code, body.error.details[0].field]).toEqual([400, 'invalid_request', 'phone'])
  },
)

test('400 invalid_request names a query or a body field, which it does not have', async () => {
  expect((await lift('5511987654321', account.live, { force: 'true' })).body.error.details[0].field).toBe('force')
  const withBody = await gateway.call('DELETE', `${path}/5511987654321`, { key: account.live, body: { phone: '5511987654321' } })
  expect([withBody.status, withBody.body.error.details[0].field]).toEqual([400, 'phone'])
})

test('401 unauthorized without a key, 403 forbidden for a key without opt_outs:write', async () => {
  const key = await makeKey(gateway.deps, account.uuid, { livemode: true, scopes: ['messages:send', 'webhooks:write'] })
  expect((await lift('5511987654321', null)).body.error.code).toBe('unauthorized')
  expect((await lift('5511987654321', key.secret)).body.error.code).toBe('forbidden')
})
