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
type Query = { limit?: number | string; starting_after?: string }
const list = (key: string | null, query: Query = {}) => gateway.call('GET', path, { key, query: query as Record<string, string | number> })
const optOut = (key: string, phone: string) => gateway.call('POST', path, { key, body: { phone } })
const lift = (key: string, phone: string) => gateway.call('DELETE', `${path}/${phone}`, { key })
const phonesOf = (body: { data: { phone: string }[] }) => body.data.map((each) => each.phone)

/** An account whose people have opted out, in no order. */
async function accountWith(phones: readonly string[]): Promise<TestAccount> {
  const own = await gateway.account()
  for (const phone of phones) await optOut(own.live, phone)
  return own
}

/** Follows the pages to their end; `between` happens after each. */
async function pages(
  key: string,
  limit: number,
  between: (page: number, last: string) => Promise<unknown> = async () => {},
): Promise<string[]> {
  const seen: string[] = []
  for (let page = 1; page <= 50; page += 1) {
    const last = seen.at(-1)
    const { body } = await list(key, { limit, ...(last === undefined ? {} : { starting_after: last }) })
    seen.push(...phonesOf(body))
    if (!body.has_more) return seen
    await between(page, seen.at(-1) as string)
  }
  throw new Error('the pages do not end')
}

const seven = ['5511987650007', '5511987650001', '12025550104', '447700900003', '5511987650006', '5511987650002', '351912345005']
const inOrder = seven.toSorted()

// rule: opt-outs 3
describe('200', () => {
  test('with an empty list where nobody has opted out', async () => {
    const own = await gateway.account()
    expect((await list(own.live)).body).toEqual({ object: 'list', data: [], has_more: false })
  })

  test('with all records in the order of their phones', async () => {
    const own = await accountWith(seven)
    const { body } = await list(own.live)
    expect([phonesOf(body), body.has_more]).toEqual([inOrder, false])
  })

  test.each([1, 2, 3, 6, 7, 8])('in pages of %d, each person once', async (limit) => {
    const own = await accountWith(seven)
    expect(await pages(own.live, limit)).toEqual(inOrder)
  })

  test('has_more is true as long as one is left, and false with the last', async () => {
    const own = await accountWith(seven)
    expect((await list(own.live, { limit: 6 })).body.has_more).toBe(true)
    expect((await list(own.live, { limit: 7 })).body.has_more).toBe(false)
    const last = await list(own.live, { starting_after: inOrder.at(-1) as string })
    expect([phonesOf(last.body), last.body.has_more]).toEqual([[], false])
  })

  test('no page is moved by opt-outs that come meanwhile', async () => {
    const own = await accountWith(seven)
    const seen = await pages(own.live, 2, (page) => optOut(own.live, `120255500${10 + page}`))
    expect(seen).toEqual(inOrder)
  })

  test('a page may follow a person whose opt-out has been taken back, and nobody is missed', async () => {
    const own = await accountWith(seven)
    const seen = await pages(own.live, 2, (_page, last) => lift(own.live, last))
    expect(seen).toEqual(inOrder)
  })

  test('starting_after is a phone in any form, of anybody', async () => {
    const own = await accountWith(seven)
    const rest = inOrder.filter((phone) => phone > '5511987650001')
    for (const form of ['5511987650001', '+55 (11) 98765-0001', '551187650001', ' 5511987650001'])
      expect([form, phonesOf((await list(own.live, { starting_after: form })).body)]).toEqual([form, rest])
    expect(phonesOf((await list(own.live, { starting_after: '5511987650004' })).body)).toEqual(
      inOrder.filter((each) => each > '5511987650004'),
    )
    expect(phonesOf((await list(own.live, { starting_after: 'ZZ.nobody' })).body)).toEqual([])
  })

  test('limit: twenty without one; 1 and 100 are allowed', async () => {
    const own = await accountWith(Array.from({ length: 21 }, (_, i) => `55119876501${String(i).padStart(2, '0')}`))
    const { body } = await list(own.live)
    expect([body.data.length, body.has_more]).toEqual([20, true])
    expect((await list(own.live, { limit: 1 })).body.data).toHaveLength(1)
    expect((await list(own.live, { limit: 100 })).body.data).toHaveLength(21)
  })

  test('a test key sees its own, a live key the live ones, another account none of them', async () => {
    const own = await accountWith(['5511987650001'])
    await optOut(own.test, '5511987650002')
    expect(phonesOf((await list(own.live)).body)).toEqual(['5511987650001'])
    expect(phonesOf((await list(own.test)).body)).toEqual(['5511987650002'])
    expect(phonesOf((await list((await gateway.account()).live)).body)).toEqual([])
  })
})

test.each<[field: string, query: Query & { phone?: string }]>([
  ['limit', { limit: 0 }],
  ['limit', { limit: 101 }],
  ['limit', { limit: '1.5' }],
  ['limit', { limit: 'ten' }],
  ['starting_after', { starting_after: 'x' }],
  ['starting_after', { starting_after: '551198765' }],
  ['starting_after', { starting_after: '' }],
  ['phone', { phone: '5511987654321' }],
])('400 invalid_request names %s for %j', async (field, query) => {
  const { status, body } = await list(account.live, query)
  expect([status, body.error.code, body.error.details[0].field]).toEqual([400, 'invalid_request', field])
})

test('401 unauthorized without a key, 403 forbidden for a key without opt_outs:write, which is for reading too', async () => {
  const without = await makeKey(gateway.deps, account.uuid, { livemode: true, scopes: ['messages:read'] })
  const withIt = await makeKey(gateway.deps, account.uuid, { livemode: true, scopes: ['opt_outs:write'] })
  expect((await list(null)).body.error.code).toBe('unauthorized')
  expect((await list(without.secret)).body.error.code).toBe('forbidden')
  expect((await list(withIt.secret)).status).toBe(200)
})
