import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeKey, type TestAccount } from '../support/accounts.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { nobodys, textTo } from '../support/texts.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.close())

type Query = Record<string, string | number>
const list = (key: string, query: Query = {}) => gateway.call('GET', '/v1/messages', { key, query })
const idsOf = (answer: { body: { data: { id: string }[] } }) => answer.body.data.map((each) => each.id)
const sendTest = async (account: TestAccount, to: string, more: Record<string, unknown> = {}) =>
  (await gateway.call('POST', '/v1/messages', { key: account.test, body: textTo(to, 'Oi', more) })).body as {
    id: string
    created_at: string
  }

describe('400 invalid_request names', () => {
  let account: TestAccount
  beforeAll(async () => {
    account = await gateway.account()
  })
  test.each<[field: string, value: string]>([
    ['limit', '0'],
    ['limit', '101'],
    ['limit', '-1'],
    ['limit', '1.5'],
    ['limit', 'ten'],
    ['limit', ''],
    ['starting_after', 'msg_1'],
    ['starting_after', ''],
    ['starting_after', nobodys('whk')],
    ['starting_after', nobodys('msg').toUpperCase()],
    ['direction', 'sideways'],
    ['direction', ''],
    ['status', 'pondering'],
    ['status', 'SENT'],
    ['phone', 'Maria'],
    ['phone', '123'],
    ['phone', ''],
    ['client_reference', 'r'.repeat(513)],
    ['source', 'chat'],
    ['source', 'everything'],
    ['since', 'yesterday'],
    ['since', '2026-02-30'],
    ['since', '1764288000'],
    ['until', '2026-11-28T25:00:00Z'],
    ['until', ''],
    ['colour', 'red'],
    ['Limit', '5'],
    ['client_reference', 'a\0b'],
  ])('%s when it is "%s"', async (field, value) => {
    const { status, body } = await list(account.live, { [field]: value })
    expect([status, body.error.code]).toEqual([400, 'invalid_request'])
    expect(body.error.details.map((each: { field: string }) => each.field)).toEqual([field])
  })

  test('limit when it is given twice', async () => {
    const { status, body } = await gateway.call('GET', '/v1/messages?limit=5&limit=5', { key: account.live })
    expect([status, body.error.code, body.error.details[0].field]).toEqual([400, 'invalid_request', 'limit'])
  })
})

// rule: requests 8
describe('a filter is the text whose bytes were sent', () => {
  const named = (query: string, key: string) => gateway.call('GET', `/v1/messages?${query}`, { key })

  test('percent-encoded, also beside a lone %', async () => {
    const account = await gateway.account()
    const { id } = await sendTest(account, gateway.newPerson(), { client_reference: 'José 100%' })
    for (const written of ['Jos%C3%A9+100%25', 'Jos%C3%A9%20100%']) {
      expect(idsOf(await named(`client_reference=${written}`, account.test))).toEqual([id])
    }
  })

  test.each(['client_reference=Jos%E9', 'client_reference=%FF', 'phone=%FF', 'since=%FF', 'starting_after=%FF'])(
    '400 at its field for what is no UTF-8: %s',
    async (query) => {
      const account = await gateway.account()
      const { status, body } = await named(query, account.test)
      expect([status, body.error.code, body.error.details[0].field]).toEqual([400, 'invalid_request', query.split('=')[0]])
    },
  )
})

test('401 unauthorized without a key, 403 forbidden for a key without messages:read', async () => {
  const account = await gateway.account()
  const key = await makeKey(gateway.deps, account.uuid, { livemode: true, scopes: ['messages:send'] })
  const without = await gateway.call('GET', '/v1/messages')
  const forbidden = await list(key.secret)
  expect([without.status, without.body.error.code]).toEqual([401, 'unauthorized'])
  expect([forbidden.status, forbidden.body.error.code]).toEqual([403, 'forbidden'])
  expect(forbidden.body.error.message).toContain('messages:read')
})

test('an account without messages has an empty list', async () => {
  const account = await gateway.account()
  expect((await list(account.live)).body).toEqual({ object: 'list', data: [], has_more: false })
})

describe('paging', () => {
  let account: TestAccount
  const sent: string[] = []
  beforeAll(async () => {
    account = await gateway.account()
    for (let i = 0; i < 101; i += 1) sent.unshift((await sendTest(account, '5511987650001')).id)
  })

  test('without a limit a page has 20, newest first', async () => {
    const answer = await list(account.test)
    expect([answer.body.object, answer.body.has_more]).toEqual(['list', true])
    expect(idsOf(answer)).toEqual(sent.slice(0, 20))
  })

  test.each<[limit: number, count: number, more: boolean]>([
    [1, 1, true],
    [99, 99, true],
    [100, 100, true],
  ])('limit %i gives %i', async (limit, count, more) => {
    const answer = await list(account.test, { limit })
    expect([idsOf(answer).length, answer.body.has_more]).toEqual([count, more])
  })

  test('the pages together are the whole list, each message once, and only the last says that there is no more', async () => {
    const pages: string[][] = []
    const mores: boolean[] = []
    let after: Query = {}
    do {
      const answer = await list(account.test, { limit: 25, ...after })
      pages.push(idsOf(answer))
      mores.push(answer.body.has_more)
      after = { starting_after: idsOf(answer).at(-1) ?? '' }
    } while (mores.at(-1) === true)
    expect(pages.map((page) => page.length)).toEqual([25, 25, 25, 25, 1])
    expect(pages.flat()).toEqual(sent)
    expect(mores).toEqual([true, true, true, true, false])
  })

  test('a page that ends exactly with the list says that there is no more', async () => {
    const answer = await list(account.test, { limit: 50, starting_after: sent[50] ?? '' })
    expect([idsOf(answer), answer.body.has_more]).toEqual([sent.slice(51), false])
  })

  test('a page that follows another is not moved by messages that come meanwhile', async () => {
    const first = await list(account.test, { limit: 10 })
    for (let i = 0; i < 3; i += 1) sent.unshift((await sendTest(account, '5511987650001')).id)
    const second = await list(account.test, { limit: 10, starting_after: idsOf(first).at(-1) ?? '' })
    expect([...idsOf(first), ...idsOf(second)]).toEqual(sent.slice(3, 23))
  })

  test('starting_after is a position: an id that nobody has goes on from its time', async () => {
    const far = `msg_${'f'.repeat(32)}`
    expect(idsOf(await list(account.test, { limit: 3, starting_after: far }))).toEqual(sent.slice(0, 3))
    const early = `msg_${'0'.repeat(32)}`
    expect((await list(account.test, { starting_after: early })).body).toEqual({ object: 'list', data: [], has_more: false })
  })

  test('starting_after of another account’s message is only a position, and shows nothing of it', async () => {
    const other = await gateway.account()
    const theirs = await sendTest(other, '5511912340000')
    const answer = await list(account.test, { limit: 2, starting_after: theirs.id })
    expect(idsOf(answer)).toEqual(sent.slice(0, 2))
    expect(answer.text).not.toContain('5511912340000')
  })
})

describe('filters', () => {
  let account: TestAccount
  const person = '5511988887777'
  const quiet = '5521977776666'
  const named: Record<string, { id: string; created_at: string }> = {}
  const idOf = (name: string) => named[name]?.id
  beforeAll(async () => {
    account = await gateway.account({ channels: 1 })
    const events = await gateway.events(account)
    for (const [name, from] of Object.entries({ received: person, receivedOther: quiet })) {
      const wamid = await gateway.letWrite(account, from)
      named[name] = (await events.until((event) => event.data.wamid === wamid)).data
    }
    const send = async (name: string, to: string, more: object = {}) => {
      const { body } = await gateway.call('POST', '/v1/messages', { key: account.live, body: textTo(to, name, { ...more }) })
      await events.of(body.id, 'message.read')
      named[name] = body
    }
    await send('referenced', person, { client_reference: 'order-1' })
    await send('plain', person)
    await send('other', quiet, { client_reference: 'order-1' })
    gateway.simulator.addFaults({ match: { to: person }, fault: { kind: 'graph-error', code: 131030 } })
    const { body } = await gateway.call('POST', '/v1/messages', { key: account.live, body: textTo(person, 'failed') })
    await events.of(body.id, 'message.failed')
    named.failed = body
  })

  test.each<[query: Query, names: string[]]>([
    [{}, ['failed', 'other', 'plain', 'referenced', 'receivedOther', 'received']],
    [{ direction: 'inbound' }, ['receivedOther', 'received']],
    [{ direction: 'outbound' }, ['failed', 'other', 'plain', 'referenced']],
    [{ status: 'received' }, ['receivedOther', 'received']],
    [{ status: 'read' }, ['other', 'plain', 'referenced']],
    [{ status: 'failed' }, ['failed']],
    [{ status: 'queued' }, []],
    [{ status: 'sent' }, []],
    [{ status: 'delivered' }, []],
    [{ phone: person }, ['failed', 'plain', 'referenced', 'received']],
    [{ phone: '+55 11 98888-7777' }, ['failed', 'plain', 'referenced', 'received']],
    [{ phone: '551188887777' }, ['failed', 'plain', 'referenced', 'received']],
    [{ phone: '5511900000000' }, []],
    [{ client_reference: 'order-1' }, ['other', 'referenced']],
    [{ client_reference: 'order' }, []],
    [{ source: 'api' }, ['failed', 'other', 'plain', 'referenced']],
    [{ direction: 'inbound', source: 'api' }, []],
    [{ direction: 'inbound', phone: quiet }, ['receivedOther']],
    [{ direction: 'outbound', status: 'received' }, []],
    [{ status: 'read', phone: person }, ['plain', 'referenced']],
    [{ status: 'read', phone: person, client_reference: 'order-1' }, ['referenced']],
    [{ direction: 'outbound', status: 'read', phone: person, client_reference: 'order-1', source: 'api', limit: 1 }, ['referenced']],
    [{ phone: person, limit: 2 }, ['failed', 'plain']],
  ])('%o', async (query, names) => {
    const answer = await list(account.live, query)
    expect(idsOf(answer)).toEqual(names.map(idOf))
  })

  test('a filter goes together with a position', async () => {
    const answer = await list(account.live, { phone: person, starting_after: idOf('plain') ?? '' })
    expect(idsOf(answer)).toEqual([idOf('referenced'), idOf('received')])
  })

  test('has_more counts only what fits the filter', async () => {
    expect((await list(account.live, { client_reference: 'order-1', limit: 2 })).body.has_more).toBe(false)
    expect((await list(account.live, { client_reference: 'order-1', limit: 1 })).body.has_more).toBe(true)
  })

  test('since includes its moment, until excludes it', async () => {
    const at = named.plain?.created_at ?? ''
    expect(idsOf(await list(account.live, { since: at }))).toEqual(['failed', 'other', 'plain'].map(idOf))
    expect(idsOf(await list(account.live, { until: at }))).toEqual(['referenced', 'receivedOther', 'received'].map(idOf))
    expect(idsOf(await list(account.live, { since: at, until: at }))).toEqual([])
    const next = new Date(Date.parse(at) + 1).toISOString()
    expect(idsOf(await list(account.live, { since: at, until: next }))).toEqual([idOf('plain')])
  })

  test('a time may have an offset, also with a raw + that arrives as a space, or no time of day', async () => {
    const at = named.plain?.created_at ?? ''
    const inBerlin = new Date(Date.parse(at) + 3_600_000).toISOString().replace('Z', '')
    const expected = ['failed', 'other', 'plain'].map(idOf)
    expect(idsOf(await list(account.live, { since: `${inBerlin}+01:00` }))).toEqual(expected)
    expect(idsOf(await gateway.call('GET', `/v1/messages?since=${inBerlin}+01:00`, { key: account.live }))).toEqual(expected)
    const yesterday = new Date(Date.parse(at) - 86_400_000).toISOString().slice(0, 10)
    expect(idsOf(await list(account.live, { since: yesterday }))).toHaveLength(6)
  })

  test('the ends of time are times', async () => {
    expect(idsOf(await list(account.live, { since: '0001-01-01', until: '9999-12-31T23:59:59.999Z' }))).toHaveLength(6)
    expect(idsOf(await list(account.live, { since: '9999-12-31' }))).toEqual([])
    expect(idsOf(await list(account.live, { until: '0001-01-01T00:00:00+23:59' }))).toEqual([])
  })

  // rule: people 3
  test('the test mode sees nothing of it, and the live mode nothing of the test mode', async () => {
    const test = await sendTest(account, person, { client_reference: 'order-1' })
    expect(idsOf(await list(account.test))).toEqual([test.id])
    expect(idsOf(await list(account.test, { phone: '551188887777' }))).toEqual([test.id])
    expect(idsOf(await list(account.live, { client_reference: 'order-1' }))).toEqual(['other', 'referenced'].map(idOf))
  })

  test('another account sees nothing of it', async () => {
    const other = await gateway.account()
    expect((await list(other.live)).body.data).toEqual([])
    expect((await list(other.live, { phone: person })).body.data).toEqual([])
  })
})
