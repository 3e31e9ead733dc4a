import type { Fault } from '@pombo/simulator'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { disconnectChannel } from '../../src/features/channels/public.ts'
import { done, makeKey, type TestAccount } from '../support/accounts.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { addNumberOfSameWaba, newTemplate, rememberedCategory } from '../support/templates.ts'

let gateway: TestGateway
let account: TestAccount
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.close())
beforeEach(async () => {
  account = await gateway.account()
})

const list = (query: Record<string, string> = {}, key: string | null = account.live) => gateway.call('GET', '/v1/templates', { key, query })
const add = (name: string, more: object = {}) => gateway.simulator.addTemplate(account.channel.wabaId, { name, language: 'pt_BR', ...more })
const namesIn = (body: { data: { name: string }[] }) => body.data.map((each) => each.name)

describe('200', () => {
  test('with every field as upstream has it, and null for what it does not know', async () => {
    const components = [
      { type: 'HEADER', format: 'TEXT', text: 'Olá' },
      { type: 'BODY', text: 'Pedido {{1}}.', example: { body_text: [['4711']] } },
    ]
    const more = { category: 'MARKETING' as const, status: 'REJECTED', rejectedReason: 'PROMOTIONAL', qualityScore: 'YELLOW', components }
    const { id } = add('cheio', { ...more, parameterFormat: 'NAMED', subCategory: 'ORDER_STATUS' })
    const { status, body } = await list()
    expect(status).toBe(200)
    expect(body.data.find((each: { name: string }) => each.name === 'cheio')).toEqual({
      id,
      object: 'template',
      name: 'cheio',
      language: 'pt_BR',
      status: 'REJECTED',
      category: 'MARKETING',
      sub_category: 'ORDER_STATUS',
      parameter_format: 'NAMED',
      quality: 'YELLOW',
      rejected_reason: 'PROMOTIONAL',
      components,
    })
    const plain = body.data.find((each: { name: string }) => each.name === 'hello_world')
    expect(plain).toMatchObject({ status: 'APPROVED', sub_category: null, quality: null, rejected_reason: null })
    expect(body).toMatchObject({ object: 'list', has_more: false, next_cursor: null })
  })

  // rule: templates 1
  test('page by page: next_cursor only while upstream says that another page follows', async () => {
    const there = namesIn((await list()).body).length
    for (let i = there; i < 30; i += 1) add(`modelo_${i}`)
    const first = await list()
    expect(first.body).toMatchObject({ has_more: true, next_cursor: expect.any(String) })
    const second = await list({ after: first.body.next_cursor })
    expect(second.body).toMatchObject({ has_more: false, next_cursor: null })
    const names = [...namesIn(first.body), ...namesIn(second.body)]
    expect([first.body.data.length, names.length]).toEqual([25, 30])
    expect(names).toContain('modelo_29')
  })

  test('as upstream has it now, not as it was', async () => {
    const { id } = add('vivo', { status: 'PENDING' })
    const statusNow = async () => (await list()).body.data.find((each: { name: string }) => each.name === 'vivo')?.status
    expect(await statusNow()).toBe('PENDING')
    gateway.simulator.changeTemplate(id, { status: 'PAUSED' })
    expect(await statusNow()).toBe('PAUSED')
  })

  test('of one status, however it is written, and of one by which upstream cannot filter', async () => {
    add('parado', { status: 'PAUSED' })
    add('guardado', { status: 'ARCHIVED' })
    for (const status of ['PAUSED', 'paused']) expect(namesIn((await list({ status })).body)).toEqual(['parado'])
    expect(namesIn((await list({ status: 'ARCHIVED' })).body)).toEqual(['guardado'])
    expect((await list({ status: 'REJECTED' })).body).toEqual({ object: 'list', data: [], has_more: false, next_cursor: null })
  })

  // rule: requests 3
  test('with whole numbers beyond 2^53 digit for digit', async () => {
    const components =
      '[{"type":"BODY","text":"Oi."},{"type":"BUTTONS","buttons":[{"type":"FLOW","text":"Abrir","flow_id":12345678901234567890}]}]'
    const body = `{"name":"fluxo_pending","language":"pt_BR","category":"UTILITY","components":${components}}`
    expect((await gateway.call('POST', '/v1/templates', { key: account.live, body })).status).toBe(201)
    expect((await list({ status: 'PENDING' })).text).toContain(`"components":${components}`)
  })

  // rule: authentication 3
  test('with a test key: the real ones', async () => {
    add('verdadeiro')
    expect((await list({}, account.test)).body).toEqual((await list()).body)
  })

  // rule: templates 3
  test('with several numbers of one business account, also when one of them is disconnected', async () => {
    await addNumberOfSameWaba(gateway, account)
    add('comum')
    expect(namesIn((await list()).body)).toContain('comum')
    done(await disconnectChannel(gateway.deps, account.channel.uuid))
    expect(namesIn((await list()).body)).toContain('comum')
  })

  test('of the business account of the channel that is named', async () => {
    account = await gateway.account({ channels: 2 })
    const [one, two] = account.channels
    gateway.simulator.addTemplate(one?.wabaId ?? '', { name: 'do_primeiro', language: 'pt_BR' })
    expect(namesIn((await list({ channel_id: one?.id ?? '' })).body)).toContain('do_primeiro')
    expect(namesIn((await list({ channel_id: two?.id ?? '' })).body)).not.toContain('do_primeiro')
  })

  // rule: templates 6
  test('and each category is remembered', async () => {
    add('promo', { category: 'MARKETING' })
    await list()
    expect(await rememberedCategory(gateway, account, 'promo')).toBe('MARKETING')
  })
})

describe('400', () => {
  test.each([
    ['colour', { colour: 'red' }],
    ['status', { status: '' }],
    ['status', { status: 'not a status' }],
    ['after', { after: '' }],
    ['after', { after: 'two words' }],
    ['after', { after: 'x'.repeat(2049) }],
    ['channel_id', { channel_id: 'ch_1' }],
  ])('invalid_request about %s for %j', async (field, query) => {
    const { status, body } = await list(query as unknown as Record<string, string>)
    expect([status, body.error.code, body.error.details?.[0]?.field]).toEqual([400, 'invalid_request', field])
  })
})

test('401 without a key', async () => {
  expect((await list({}, null)).status).toBe(401)
})

test('403 with a key that lacks the scope, and not with one that has it', async () => {
  const other = await makeKey(gateway.deps, account.uuid, { livemode: true, scopes: ['templates:write', 'messages:read'] })
  const { status, body } = await list({}, other.secret)
  expect([status, body.error.code]).toEqual([403, 'forbidden'])
  const right = await makeKey(gateway.deps, account.uuid, { livemode: true, scopes: ['templates:read'] })
  expect((await list({}, right.secret)).status).toBe(200)
})

test('404 not_found for a channel that is not there, or is another account’s', async () => {
  const other = await gateway.account()
  for (const id of [`ch_${'0'.repeat(32)}`, other.channel.id]) {
    const { status, body } = await list({ channel_id: id })
    expect([status, body.error.code]).toEqual([404, 'not_found'])
  }
})

// rule: templates 3
describe('409 channel_not_connected', () => {
  test('for an account without a number, with test keys too', async () => {
    account = await gateway.account({ channels: 0 })
    for (const key of [account.live, account.test]) {
      const { status, body } = await list({}, key)
      expect([status, body.error.code]).toEqual([409, 'channel_not_connected'])
    }
  })

  test('for a number that is disconnected, named or not', async () => {
    done(await disconnectChannel(gateway.deps, account.channel.uuid))
    for (const query of [{}, { channel_id: account.channel.id }]) {
      const { status, body } = await list(query as Record<string, string>)
      expect([status, body.error.code]).toEqual([409, 'channel_not_connected'])
    }
  })
})

// rule: templates 3
test('422 channel_ambiguous with several business accounts and none named, disconnected ones and test keys included', async () => {
  account = await gateway.account({ channels: 2 })
  done(await disconnectChannel(gateway.deps, account.channel.uuid))
  for (const key of [account.live, account.test]) {
    const { status, body } = await list({}, key)
    expect([status, body.error.code]).toEqual([422, 'channel_ambiguous'])
  }
})

// rule: templates 4
describe('502 meta_error', () => {
  const fail = (fault: Fault) =>
    gateway.simulator.addFaults({ match: { call: 'templates-list' as const, id: account.channel.wabaId }, fault })

  test('with upstream’s code and words when it refuses', async () => {
    fail({ kind: 'graph-error', code: 80008, message: 'Too much.', details: 'Wait an hour.' })
    const { status, body } = await list()
    expect([status, body.error.code, body.error.details]).toEqual([502, 'meta_error', [{ message: 'Wait an hour.', code: 80008 }]])
  })

  test('for a cursor that has become stale', async () => {
    const { status, body } = await list({ after: 'eyJzdGFsZSI6MX0' })
    expect([status, body.error.code, body.error.details[0].code]).toEqual([502, 'meta_error', 131059])
  })

  test('for a token that upstream no longer takes', async () => {
    gateway.simulator.changeNumber(account.channel.phoneNumberId, { tokenRevoked: true })
    const { status, body } = await list()
    expect([status, body.error.details[0].code]).toEqual([502, 190])
  })

  test.each([[{ kind: 'drop' }], [{ kind: 'html' }], [{ kind: 'unreadable' }]] as const)('when upstream answers by %j', async (fault) => {
    fail(fault)
    const { status, body } = await list()
    expect([status, body.error.code]).toEqual([502, 'meta_error'])
    expect((await list()).status).toBe(200)
  })
})

test('an answer never holds the token', async () => {
  await gateway.call('POST', '/v1/templates', { key: account.live, body: newTemplate('qualquer') })
  for (const { text } of [await list(), await list({ status: 'PENDING' })]) expect(text).not.toContain(account.channel.token)
})
